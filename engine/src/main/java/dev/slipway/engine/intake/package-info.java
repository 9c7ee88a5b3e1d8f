/**
 * Intake: validates documents for the later stages. A {@link dev.slipway.engine.intake.Document} is
 * parsed text whose every value and key has its line and column; a {@link
 * dev.slipway.engine.intake.Section} reads typed fields out of one and reports mistakes. Input is
 * untrusted: no content of a text makes this package throw, every mistake is a {@link
 * dev.slipway.engine.intake.Diagnostic}.
 */
@NullMarked
package dev.slipway.engine.intake;

import org.jspecify.annotations.NullMarked;
