package dev.slipway.engine.lifecycle;

import java.util.Locale;

/** A state of some lifecycle; its text is lower case with dashes, as users see and store it. */
public interface State {
  /** The enum constant's name. */
  String name();

  /** The name users see. */
  default String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The state of that text. */
  static <S extends Enum<S> & State> S parse(Class<S> type, String text) {
    return Enum.valueOf(type, text.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
