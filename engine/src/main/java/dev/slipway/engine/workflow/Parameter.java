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

  /** This parameter where somebody describes it anew: what they say counts, the rest stays. */
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
        secrecy == Workflow.Secrecy.SECRET ? secrecy : other.secrecy);
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

  /** Whether a value must be there. */
  public enum Need {
    REQUIRED,
    OPTIONAL
  }
}
