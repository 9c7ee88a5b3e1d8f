package dev.slipway.engine.workflow;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a step executor says about itself, so that a provider is checked when it loads: the fields
 * of its config and how each is rendered.
 */
public record StepType(
    String name,
    Set<String> aliases,
    List<Field> fields,
    int defaultAttempts,
    Code code,
    Programs programs) {

  /** One that starts no program. */
  public StepType(
      String name, Set<String> aliases, List<Field> fields, int defaultAttempts, Code code) {
    this(name, aliases, fields, defaultAttempts, code, Programs.NONE);
  }

  /**
   * Which programs a step of this type starts: a name to look for on the PATH, or an absolute file.
   */
  @FunctionalInterface
  public interface Programs {
    Programs NONE = _ -> Set.of();

    /** With this config, as it is written: what depends on a template is not known yet. */
    Set<String> of(Map<String, Object> config);
  }

  /**
   * One field of {@code config}. {@code spellings} are other names it may be written by; {@code
   * choices} are the only values it may have, any when empty; {@code refused} says of values that
   * somebody may well write why they are not among them.
   */
  public record Field(
      String name,
      Kind kind,
      Need need,
      String description,
      List<String> spellings,
      List<String> choices,
      Map<String, String> refused) {
    /** With one name and any value of its kind. */
    public Field(String name, Kind kind, Need need, String description) {
      this(name, kind, need, description, List.of(), List.of(), Map.of());
    }

    /** Every name it may be written by, its own first. */
    public List<String> names() {
      return Stream.concat(Stream.of(name), spellings.stream()).toList();
    }

    /** May also be written by these names. */
    public Field also(String... names) {
      return new Field(name, kind, need, description, List.of(names), choices, refused);
    }

    /** Must be one of these values. */
    public Field oneOf(String... values) {
      return new Field(name, kind, need, description, spellings, List.of(values), refused);
    }

    /** Cannot be that value, for that reason. */
    public Field not(String value, String reason) {
      Map<String, String> more = new LinkedHashMap<>(refused);
      more.put(value, reason);
      return new Field(name, kind, need, description, spellings, choices, Map.copyOf(more));
    }
  }

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
