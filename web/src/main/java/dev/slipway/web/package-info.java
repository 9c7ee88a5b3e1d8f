/**
 * The HTTP layer that all operations share. Routes are data: one list drives registration,
 * authorisation, the OpenAPI document and the tests that walk over it. Handlers take a {@code Call}
 * and return an {@code Answer}; identity, limits, problem documents, repeated requests, audit and
 * metrics are applied around them in one place.
 */
@NullMarked
package dev.slipway.web;

import org.jspecify.annotations.NullMarked;
