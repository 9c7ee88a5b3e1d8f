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
    Workflow.Secrecy secrecy,
    Part part) {

  /** This parameter with the properties that {@code other} sets. */
  public Parameter narrowedBy(Parameter other) {
    return new Parameter(
        name,
        other.type == Type.ANY ? type : other.type,
        need == Need.REQUIRED ? need : other.need,
        other.defaultValue == null ? defaultValue : other.defaultValue,
        other.description.isEmpty() ? description : other.description,
        other.allowed.isEmpty() ? allowed : other.allowed,
        other.pattern == null ? pattern : other.pattern,
        other.min == null ? min : other.min,
        other.max == null ? max : other.max,
        secrecy == Workflow.Secrecy.SECRET ? secrecy : other.secrecy,
        part);
  }

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

  /** What its value is to the real thing. */
  public enum Part {
    /** It is part of how the thing is found: fixed by the create run, changed by replacement. */
    IDENTIFYING,
    /** It can change while the thing stays. */
    CONFIGURING
  }

  /** Whether a value must be there. */
  public enum Need {
    REQUIRED,
    OPTIONAL
  }
}
