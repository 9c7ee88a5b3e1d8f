package dev.slipway.gotemplate;

import dev.slipway.gotemplate.Source.Place;
import java.time.Clock;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One call of a function: its arguments, already checked against the signature, and its limits. */
public final class Call {
  private final Execution execution;
  private final Place place;
  private final String name;
  private final @Nullable Object[] arguments;

  Call(Execution execution, Place place, String name, @Nullable Object[] arguments) {
    this.execution = execution;
    this.place = place;
    this.name = name;
    this.arguments = arguments;
  }

  /**
   * A call outside of any template, for trying a function on its own; arguments are not checked.
   */
  public static Call of(Settings settings, @Nullable Object... arguments) {
    Place place = new Source("call", "").place(0, 0);
    Execution alone = new Execution(settings, Map.of(), Emitter.PRINTING, place);
    return new Call(alone, place, "function", arguments);
  }

  /** Number of arguments. */
  public int size() {
    return arguments.length;
  }

  /** An argument of any type. */
  public @Nullable Object any(int index) {
    return arguments[index];
  }

  /** A {@code string} argument. */
  public String string(int index) {
    return (String) arguments[index];
  }

  /** A {@code bool} argument. */
  public boolean bool(int index) {
    return (Boolean) arguments[index];
  }

  /** An argument of any integer type of at most 64 bits. */
  public long integer(int index) {
    return arguments[index] instanceof GoInteger integer
        ? integer.value()
        : ((Number) arguments[index]).longValue();
  }

  /** A {@code float64} argument. */
  public double real(int index) {
    return ((Number) arguments[index]).doubleValue();
  }

  /** A map argument; nil is an empty map. Changing it changes the value everywhere, as in Go. */
  @SuppressWarnings("unchecked")
  public Map<String, Object> map(int index) {
    return arguments[index] == null ? Map.of() : (Map<String, Object>) arguments[index];
  }

  /** An argument that has fields and methods, such as a time; fails if it is nil. */
  public <T extends GoObject> T object(int index, Class<T> type) {
    Object argument = arguments[index];
    if (argument == null) {
      throw fail("argument " + (index + 1) + " is a nil pointer");
    }
    return type.cast(argument);
  }

  /** All arguments from an index on, for variadic functions; cannot be changed. */
  public List<@Nullable Object> rest(int index) {
    return Collections.unmodifiableList(Arrays.asList(arguments).subList(index, arguments.length));
  }

  /** Counts work against {@link Limits#steps} and looks at the time; fails if there is no more. */
  public void charge(long steps) {
    execution.charge(steps);
  }

  /**
   * Checks that a text of this many characters is within the limits, before it is built, and
   * charges for it. A list or map of n elements is charged with {@link #charge}.
   */
  public void room(long characters) {
    execution.room(characters);
  }

  /** The time that the template may see. */
  public Clock clock() {
    return execution.settings().clock();
  }

  public Limits limits() {
    return execution.limits();
  }

  Execution execution() {
    return execution;
  }

  Place place() {
    return place;
  }

  /** The value as {@code %v} prints it, within the limits. */
  public String print(@Nullable Object value) {
    return value instanceof String text ? text : execution.print(value);
  }

  /** Go's {@code fmt.Sprintf}, within the limits. */
  public String format(String format, @Nullable Object... args) {
    return execution.format(format, args);
  }

  /** An error of this call; the place is filled in. Write {@code throw call.fail("…")}. */
  public TemplateException fail(String reason) {
    return execution.fail(place, "error calling " + name + ": " + reason);
  }
}
