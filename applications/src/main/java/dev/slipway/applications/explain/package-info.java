/** Why an application or a resource is not active, and which command comes next. */
@NullMarked
package dev.slipway.applications.explain;

import org.jspecify.annotations.NullMarked;
