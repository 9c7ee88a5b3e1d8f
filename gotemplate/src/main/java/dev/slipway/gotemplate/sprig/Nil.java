package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.GoType;
import dev.slipway.gotemplate.TypedList;
import java.util.Collections;
import java.util.List;

/** Go's nil slices: empty like any other, but {@code null} in JSON and not deeply equal to []. */
final class Nil {
  static final List<Object> LIST = Collections.unmodifiableList(List.of());
  static final TypedList STRINGS = TypedList.of(GoType.STRING, List.of());

  private Nil() {}

  static boolean is(Object value) {
    return value == LIST || value == STRINGS;
  }
}
