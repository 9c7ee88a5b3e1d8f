package dev.slipway.kubernetes.health;

/** A field of an object has another type than rules expect. The rule's verdict is then Unknown. */
public final class MalformedObjectException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedObjectException(String field, String expected, Object found) {
    super(field + " is " + Described.of(found) + ", not " + expected, null, false, false);
  }

  /** Names a value without repeating it: it may be long, or a secret. */
  private static final class Described {
    static String of(Object found) {
      return switch (found) {
        case java.util.Map<?, ?> map -> "a map";
        case java.util.List<?> list -> "a list";
        case String text -> "a string";
        case Boolean flag -> "a boolean";
        default -> "a number";
      };
    }
  }
}
