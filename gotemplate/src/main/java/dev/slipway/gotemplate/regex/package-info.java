/**
 * Regular expressions with the syntax and the leftmost-first semantics of RE2, as Go's {@code
 * regexp} has them. A search takes time linear in pattern times text, whatever the pattern: there
 * is no backtracking that could explode, so patterns from users are safe. {@link
 * dev.slipway.gotemplate.regex.Regex} is the way in; its work can be metered.
 */
@NullMarked
package dev.slipway.gotemplate.regex;

import org.jspecify.annotations.NullMarked;
