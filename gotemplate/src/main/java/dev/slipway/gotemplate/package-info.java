/**
 * Go's {@code text/template} language in plain Java. A template is parsed once, is immutable, and
 * executes any number of times from any number of threads; what it may call is a plain value, a set
 * of functions, that the caller composes.
 */
@NullMarked
package dev.slipway.gotemplate;

import org.jspecify.annotations.NullMarked;
