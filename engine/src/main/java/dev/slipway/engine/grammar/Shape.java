package dev.slipway.engine.grammar;

import java.util.List;
import java.util.Optional;

/** What a value looks like. */
public sealed interface Shape {
  Shape TEXT = new Text();
  Shape FILLED = new Filled();
  Shape SCALAR = new Scalar();
  Shape TRUTH = new Truth();
  Shape NUMBER = new Decimal();
  Shape DURATION = new Time();
  Shape ANYTHING = new Anything();
  Shape OPEN_MAP = new OpenMap();
  Shape TEXTS = new ListOf(TEXT);
  Shape TEXT_OR_TEXTS = new Either(List.of(TEXT, TEXTS));

  /** A string. */
  record Text() implements Shape {}

  /** A string with something in it. */
  record Filled() implements Shape {}

  /** Any scalar, taken as it was written. */
  record Scalar() implements Shape {}

  record Truth() implements Shape {}

  /** Any number. */
  record Decimal() implements Shape {}

  /** Seconds, or text with units. */
  record Time() implements Shape {}

  record Anything() implements Shape {}

  /** Null. */
  record Nothing() implements Shape {}

  /** A map whose keys belong to its author. */
  record OpenMap() implements Shape {}

  /** A string that matches a pattern as a whole; the words say what the pattern means. */
  record Matching(String pattern, String words) implements Shape {}

  record Whole(long least, long most) implements Shape {}

  /** One of some strings. */
  record Words(List<String> words) implements Shape {
    public Words(String... words) {
      this(List.of(words));
    }
  }

  record ListOf(Shape item, int least, int most) implements Shape {
    public ListOf(Shape item) {
      this(item, 0, Integer.MAX_VALUE);
    }
  }

  record MapOf(Shape value) implements Shape {}

  record Either(List<Shape> shapes) implements Shape {
    public Either(Shape... shapes) {
      this(List.of(shapes));
    }
  }

  /** The shape, or a text with a template in it that becomes such a value later. */
  record Templated(Shape shape) implements Shape {}

  /** The shape, or a text with a reference such as {@code ${env:NAME}} that becomes one. */
  record Referring(Shape shape) implements Shape {}

  /** A form or a named shape, by its name. */
  record In(String form) implements Shape {
    public In(Form form) {
      this(form.name());
    }
  }

  /** A form whose fields depend on one of them. */
  record Variants(String field, List<Variant> variants, Optional<In> absent) implements Shape {
    /** The form for some values of that field. */
    public record Variant(List<String> words, In form) {}
  }

  /** One shape where a field is there, another where it is not. */
  record Given(String field, Shape then, Shape otherwise) implements Shape {}

  /** A form some of whose fields are narrower here. */
  record Narrowed(Shape shape, List<Field> fields) implements Shape {}

  /**
   * Anything; but a map with this field (any field if empty) and only fields of the form must have
   * the form.
   */
  record Looking(String field, In form) implements Shape {}
}
