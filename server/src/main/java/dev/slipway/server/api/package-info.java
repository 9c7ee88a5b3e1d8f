/**
 * The operations of the HTTP API, one class for each kind of object. Each contributes its rows to
 * the route table and maps results of use cases to what the contract specifies.
 */
@NullMarked
package dev.slipway.server.api;

import org.jspecify.annotations.NullMarked;
