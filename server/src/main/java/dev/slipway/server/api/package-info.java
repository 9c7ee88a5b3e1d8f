/**
 * The operations of the HTTP API, one class for each kind of object. Each contributes its lines to
 * the route table and turns what the use cases answer into what the contract says.
 */
@NullMarked
package dev.slipway.server.api;

import org.jspecify.annotations.NullMarked;
