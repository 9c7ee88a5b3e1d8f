package dev.slipway.engine.workflow;

import java.util.List;
import java.util.Set;

/**
 * What a step executor says about itself, so that a provider is checked when it loads: the fields
 * of its config and how each is rendered.
 */
public record StepType(
    String name, Set<String> aliases, List<Field> fields, int defaultAttempts, Code code) {

  /** One field of {@code config}. */
  public record Field(String name, Kind kind, Need need, String description) {}

  /** How a field's templates are rendered, and what it must be. */
  public enum Kind {
    /**
     * Any value; strings in it are templates, one that is exactly one expression keeps its type.
     */
    VALUE,
    TEXT,
    NUMBER,
    BOOLEAN,
    DURATION,
    LIST,
    MAP,
    /** Shell code: an emitted value becomes an environment variable, never code. */
    SCRIPT,
    /** SQL text: an emitted value becomes a bind parameter. */
    SQL,
    /** A condition in the language of {@code if}; the executor gets whether it holds now. */
    CONDITION
  }

  /** Whether the field must be written. */
  public enum Need {
    REQUIRED,
    OPTIONAL
  }

  /** Whether it runs code of the provider's on the server's machine. */
  public enum Code {
    RUNS,
    NONE
  }
}
