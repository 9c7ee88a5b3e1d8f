/**
 * Intake: what somebody wrote becomes something the other stages can trust. A {@link
 * dev.slipway.engine.intake.Document} is parsed text whose every value and key knows its line and
 * column; a {@link dev.slipway.engine.intake.Section} reads typed fields out of one and reports
 * what is wrong. Input is hostile until proven otherwise: nothing in here throws because of what a
 * text contains, everything wrong with it is a {@link dev.slipway.engine.intake.Diagnostic}.
 */
@NullMarked
package dev.slipway.engine.intake;

import org.jspecify.annotations.NullMarked;
