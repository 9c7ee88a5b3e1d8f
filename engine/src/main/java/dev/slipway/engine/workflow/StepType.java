package dev.slipway.engine.workflow;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
    Programs programs,
    List<Choice> choices,
    Manual manual) {

  /** One that starts programs. */
  public StepType(
      String name,
      Set<String> aliases,
      List<Field> fields,
      int defaultAttempts,
      Code code,
      Programs programs) {
    this(name, aliases, fields, defaultAttempts, code, programs, List.of(), Manual.EMPTY);
  }

  /** One that starts no program. */
  public StepType(
      String name, Set<String> aliases, List<Field> fields, int defaultAttempts, Code code) {
    this(name, aliases, fields, defaultAttempts, code, Programs.NONE);
  }

  /** Of these fields exactly one must be written, below {@code config} or beside it. */
  public StepType exactlyOne(String... names) {
    return choosing(new Choice(List.of(names), Count.EXACTLY_ONE));
  }

  /** Of these fields one may be written, not several. */
  public StepType atMostOne(String... names) {
    return choosing(new Choice(List.of(names), Count.AT_MOST_ONE));
  }

  /** Of these fields one must be written, or several. */
  public StepType atLeastOne(String... names) {
    return choosing(new Choice(List.of(names), Count.AT_LEAST_ONE));
  }

  private StepType choosing(Choice choice) {
    List<Choice> more = Stream.concat(choices.stream(), Stream.of(choice)).toList();
    return new StepType(name, aliases, fields, defaultAttempts, code, programs, more, manual);
  }

  /** Adds text for the reference page: what a step does, and how it fails and recovers. */
  public StepType documented(String about, String recovery) {
    Manual changed = new Manual(about, manual.outputs(), recovery);
    return new StepType(name, aliases, fields, defaultAttempts, code, programs, choices, changed);
  }

  /** One of its outputs, for the reference page. */
  public StepType giving(String output, String meaning) {
    Map<String, String> outputs = new LinkedHashMap<>(manual.outputs());
    outputs.put(output, meaning);
    Manual changed = new Manual(manual.about(), outputs, manual.recovery());
    return new StepType(name, aliases, fields, defaultAttempts, code, programs, choices, changed);
  }

  /**
   * Which programs a step of this type starts: a name to look for on the PATH, or an absolute file;
   * {@code a|b} when either will do.
   */
  @FunctionalInterface
  public interface Programs {
    Programs NONE = _ -> Set.of();

    /** With this config, as it is written: what depends on a template is not known yet. */
    Set<String> of(Map<String, Object> config);
  }

  /** Fields of which not all may be written. */
  public record Choice(List<String> names, Count count) {}

  /** How many of them. */
  public enum Count {
    EXACTLY_ONE,
    AT_LEAST_ONE,
    AT_MOST_ONE
  }

  /**
   * Text for the reference page beside the fields.
   *
   * @param about what a step of this type does, one or two sentences
   * @param outputs by name, each in a phrase
   * @param recovery how it fails and what happens after a crash, in sentences
   */
  public record Manual(String about, Map<String, String> outputs, String recovery) {
    static final Manual EMPTY = new Manual("", Map.of(), "");
  }

  /**
   * One field of {@code config}. {@code spellings} are other names it may be written by; {@code
   * choices} are the only values it may have, any when empty; {@code refused} says of values that
   * are likely to be written why they are not among them.
   *
   * @param grant the list of the provider's grants that has to name the value; the value is then a
   *     literal or the provider's configuration, so that no document chooses it
   * @param makers step types whose outputs may be the value too, because what they make is held to
   *     the same grant
   */
  public record Field(
      String name,
      Kind kind,
      Need need,
      String description,
      List<String> spellings,
      List<String> choices,
      Map<String, String> refused,
      Optional<Grant> grant,
      Set<String> makers) {
    /** With one name and any value of its kind. */
    public Field(String name, Kind kind, Need need, String description) {
      this(
          name,
          kind,
          need,
          description,
          List.of(),
          List.of(),
          Map.of(),
          Optional.empty(),
          Set.of());
    }

    /** Every name it may be written by, its own first. */
    public List<String> names() {
      return Stream.concat(Stream.of(name), spellings.stream()).toList();
    }

    /** May also be written by these names. */
    public Field also(String... names) {
      return new Field(
          name, kind, need, description, List.of(names), choices, refused, grant, makers);
    }

    /** Must be one of these values. */
    public Field oneOf(String... values) {
      return new Field(
          name, kind, need, description, spellings, List.of(values), refused, grant, makers);
    }

    /** Cannot be that value, for that reason. */
    public Field not(String value, String reason) {
      Map<String, String> more = new LinkedHashMap<>(refused);
      more.put(value, reason);
      return new Field(
          name, kind, need, description, spellings, choices, Map.copyOf(more), grant, makers);
    }

    /** Must be granted, and so is chosen by the provider; or is what a step of a maker has made. */
    public Field granted(Grant list, String... makerTypes) {
      return new Field(
          name,
          kind,
          need,
          description,
          spellings,
          choices,
          refused,
          Optional.of(list),
          Set.of(makerTypes));
    }
  }

  /** Lists of grants that name what a field may be. */
  public enum Grant {
    CLUSTERS("cluster"),
    CONNECTIONS("connection"),
    TEMPLATES("template"),
    REPOSITORIES("repository"),
    PROJECTS("project");

    private final String singular;

    Grant(String singular) {
      this.singular = singular;
    }

    /** What one entry is called. */
    public String singular() {
      return singular;
    }

    /** Its key in the configuration. */
    public String key() {
      return name().toLowerCase(Locale.ROOT);
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
    /** Kubernetes manifests: values are inserted after the YAML is read. */
    MANIFEST,
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
