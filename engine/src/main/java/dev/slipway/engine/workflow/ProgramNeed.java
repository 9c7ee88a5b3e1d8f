package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;

/** A program that a step starts, and where the step is written. */
public record ProgramNeed(String step, String program, Path path, Position at) {}
