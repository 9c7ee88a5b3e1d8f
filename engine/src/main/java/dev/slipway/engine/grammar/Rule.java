package dev.slipway.engine.grammar;

import java.util.List;

/** What must hold between the fields of one form. */
public sealed interface Rule {
  /** Exactly one of them is written. */
  record ExactlyOne(List<String> names) implements Rule {
    public ExactlyOne(String... names) {
      this(List.of(names));
    }
  }

  /** One of them is written, or several. */
  record AtLeastOne(List<String> names) implements Rule {
    public AtLeastOne(String... names) {
      this(List.of(names));
    }
  }

  /** One of them is written, or none. */
  record AtMostOne(List<String> names) implements Rule {
    public AtMostOne(String... names) {
      this(List.of(names));
    }
  }

  /** A rule of fields in a map below, which may stand beside it too but for some of them. */
  record Spread(String section, Rule rule, List<String> belowOnly) implements Rule {}

  /** A rule that holds where a field has one of some values. */
  record Only(String field, List<String> words, Rule rule) implements Rule {}

  /** Where a field has one of some values, these fields are narrower; elsewhere those. */
  record Where(String field, List<String> words, List<Field> then, List<Field> otherwise)
      implements Rule {}
}
