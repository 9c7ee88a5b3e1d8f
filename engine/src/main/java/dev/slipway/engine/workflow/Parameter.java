package dev.slipway.engine.workflow;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A declared input of a workflow. */
public record Parameter(
    String name,
    Type type,
    Need need,
    @Nullable Object defaultValue,
    String description,
    List<Object> allowed,
    @Nullable String pattern,
    @Nullable Number min,
    @Nullable Number max,
    Workflow.Secrecy secrecy) {

  /** Declared types; {@link #ANY} when none is written. */
  public enum Type {
    ANY,
    STRING,
    NUMBER,
    INTEGER,
    BOOLEAN,
    OBJECT,
    ARRAY,
    ENUM,
    DURATION,
    SECRET
  }

  /** Whether a value must be there. */
  public enum Need {
    REQUIRED,
    OPTIONAL
  }
}
