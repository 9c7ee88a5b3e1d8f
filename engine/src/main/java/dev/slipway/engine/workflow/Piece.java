package dev.slipway.engine.workflow;

import org.jspecify.annotations.Nullable;

/** What a rendered template consists of: text of its author, and inserted values. */
sealed interface Piece {
  /** Written by the provider's author. */
  record Authored(String text) implements Piece {}

  /** Emitted by an action or placeholder. */
  record Emitted(@Nullable Object value, Origin origin) implements Piece {}

  /** How a value that is not text is written inside text. */
  enum Origin {
    /** {@code {{ }}}: as Go prints it. */
    ACTION,
    /** {@code ${}}: lists and maps as JSON. */
    PLACEHOLDER
  }
}
