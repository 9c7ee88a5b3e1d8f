package dev.slipway.cli;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a word of an answer as one of the choices that this command line knows. */
final class Choice {
  private Choice() {}

  /** The constant of that word; empty for a word that only a newer server has. */
  static <E extends Enum<E>> Optional<E> of(Class<E> type, @Nullable Object word) {
    String name = String.valueOf(word).toUpperCase(Locale.ROOT).replace('-', '_');
    return Stream.of(type.getEnumConstants()).filter(c -> c.name().equals(name)).findFirst();
  }
}
