package dev.slipway.engine.grammar;

/**
 * One field of a form.
 *
 * @param usual what counts when it is left out; empty when there is nothing to say
 * @param description one phrase, without a full stop; of an old field, what to write instead
 */
public record Field(
    String name, Shape shape, Need need, String usual, String description, Support support) {

  /** Whether it must be written. */
  public enum Need {
    REQUIRED,
    OPTIONAL
  }

  /** Whether the field is current. */
  public enum Support {
    CURRENT,
    /** Read with a warning that says what to write instead. */
    DEPRECATED
  }

  public static Field required(String name, Shape shape, String description) {
    return new Field(name, shape, Need.REQUIRED, "", description, Support.CURRENT);
  }

  public static Field optional(String name, Shape shape, String description) {
    return optional(name, shape, "", description);
  }

  public static Field optional(String name, Shape shape, String usual, String description) {
    return new Field(name, shape, Need.OPTIONAL, usual, description, Support.CURRENT);
  }

  /** A field of earlier releases. */
  public static Field old(String name, Shape shape, String instead) {
    return new Field(name, shape, Need.OPTIONAL, "", instead, Support.DEPRECATED);
  }
}
