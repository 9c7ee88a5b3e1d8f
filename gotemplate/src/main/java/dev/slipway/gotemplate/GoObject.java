package dev.slipway.gotemplate;

import java.util.List;
import java.util.Map;

/**
 * A value with fields and methods that templates may use by name: a time, a duration, a version, a
 * URL. Only what {@link #members} lists can be reached; nothing is looked up by reflection.
 */
public interface GoObject {
  /** Go's type, for example {@code time.Time} with kind struct. */
  GoType type();

  /** What printing the value with {@code %v} gives. */
  String text();

  /** Fields and methods by name; the same constant map for all values of a class. */
  Map<String, Member> members();

  /**
   * For a named basic type the basic value, which decides truth and comparison (a duration is an
   * {@code int64}); the object itself for structs and pointers.
   */
  default Object underlying() {
    return this;
  }

  /**
   * A field or method.
   *
   * @param parameters types of a method's parameters; empty for fields
   * @param role whether arguments may be given
   * @param body gives the value
   */
  record Member(Role role, List<GoType> parameters, Body body) {
    /** A field, read with {@code .Name}. */
    public static Member field(Body body) {
      return new Member(Role.FIELD, List.of(), body);
    }

    /** A method, called with {@code .Name arg arg}. */
    public static Member method(Body body, GoType... parameters) {
      return new Member(Role.METHOD, List.of(parameters), body);
    }
  }

  /** Whether a member is a field or a method. */
  enum Role {
    FIELD,
    METHOD
  }

  /** Gives the value of a field or the result of a method. */
  @FunctionalInterface
  interface Body {
    /**
     * Gives the value.
     *
     * @param self the object on the left of the dot
     * @param call the arguments and what limits the call
     */
    Object apply(GoObject self, Call call);
  }
}
