/**
 * Score documents: {@link dev.slipway.applications.score.ScoreIntake} turns text into a {@link
 * dev.slipway.applications.score.Score}, in stages that each report all they find.
 */
@NullMarked
package dev.slipway.applications.score;

import org.jspecify.annotations.NullMarked;
