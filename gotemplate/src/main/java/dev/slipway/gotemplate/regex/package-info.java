/**
 * Regular expressions with the syntax and the leftmost-first semantics of RE2, as in Go's {@code
 * regexp}. RE2/J executes them: a search takes time linear in pattern times text, so patterns from
 * users are safe. {@link dev.slipway.gotemplate.regex.Regex} adds Go's results where RE2/J differs,
 * bounds on the size of a pattern, and a meter for the work.
 */
@NullMarked
package dev.slipway.gotemplate.regex;

import org.jspecify.annotations.NullMarked;
