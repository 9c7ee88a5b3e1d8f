package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Text;
import java.nio.charset.StandardCharsets;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;

/**
 * Searching for part of a character. A text that was cut inside a character can be found inside
 * whole ones, as in Go, when both are seen as one unit per byte.
 */
final class Octets {
  private Octets() {}

  /** Tests a part against a text. */
  static boolean test(String part, String text, BiPredicate<String, String> test) {
    return Text.isValid(part) ? test.test(part, text) : test.test(of(part), of(text));
  }

  /** Works on a text by a part of it. The last argument turns what was made back into text. */
  static <T> T apply(String part, String text, Operation<T> operation) {
    return Text.isValid(part)
        ? operation.on(part, text, UnaryOperator.identity())
        : operation.on(of(part), of(text), Octets::text);
  }

  /** Something done to a text by a part of it. */
  @FunctionalInterface
  interface Operation<T> {
    T on(String part, String text, UnaryOperator<String> back);
  }

  static String of(String text) {
    return new String(Text.bytes(text), StandardCharsets.ISO_8859_1);
  }

  static String text(String octets) {
    return Text.of(octets.getBytes(StandardCharsets.ISO_8859_1));
  }
}
