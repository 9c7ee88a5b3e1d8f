package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.GoInteger;
import dev.slipway.gotemplate.GoObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What sprig counts as not set: nil, zero, false, and what has no elements. */
final class Emptiness {
  private Emptiness() {}

  static boolean of(@Nullable Object value) {
    return switch (value) {
      case null -> true;
      case String text -> text.isEmpty();
      case Boolean bool -> !bool;
      case List<?> list -> list.isEmpty();
      case Map<?, ?> map -> map.isEmpty();
      case GoInteger number -> number.value() == 0;
      case java.math.BigInteger _ -> false;
      case Number number -> number.doubleValue() == 0;
      case GoObject object -> object.underlying() != object && of(object.underlying());
      default -> false;
    };
  }
}
