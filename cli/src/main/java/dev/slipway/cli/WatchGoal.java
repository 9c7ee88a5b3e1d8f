package dev.slipway.cli;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What is waited for. */
sealed interface WatchGoal {
  /** One of the states that the table calls done. */
  record Done() implements WatchGoal {}

  /** That state. */
  record InState(String state) implements WatchGoal {}

  /**
   * The object is gone.
   *
   * @param before as it was before it was asked to go: once it differs, a failed state is the end
   */
  record Gone(Optional<Map<String, Object>> before) implements WatchGoal {}

  /** What {@code --for} says. */
  static WatchGoal of(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "" -> new Done();
      case "delete", "deleted" -> new Gone(Optional.empty());
      default -> new InState(text);
    };
  }
}
