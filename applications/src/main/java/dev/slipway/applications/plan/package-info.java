/**
 * The difference between the Score document that a team sends and the resources that there are: one
 * item a resource, its change, the order, and what forbids it.
 */
@NullMarked
package dev.slipway.applications.plan;

import org.jspecify.annotations.NullMarked;
