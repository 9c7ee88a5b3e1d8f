/**
 * What every call has in common. Routes are data: one list drives registration, authorisation, the
 * OpenAPI document and the tests that walk over it. Handlers take a {@code Call} and give an {@code
 * Answer}; everything else (identity, limits, problems, repeated requests, audit, metrics) happens
 * around them, once.
 */
@NullMarked
package dev.slipway.server.http;

import org.jspecify.annotations.NullMarked;
