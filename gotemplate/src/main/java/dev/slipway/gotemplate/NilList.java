package dev.slipway.gotemplate;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Go's nil slices: empty like any other, but equal to nil, {@code null} in JSON and not deeply
 * equal to an empty list.
 */
public final class NilList {
  /** A nil {@code []interface {}}. */
  public static final List<Object> ANY = Collections.unmodifiableList(List.of());

  /** A nil {@code []string}. */
  public static final TypedList STRINGS = TypedList.of(GoType.STRING, List.of());

  private NilList() {}

  /** Whether a value is one of these lists, not just an empty one. */
  public static boolean is(@Nullable Object value) {
    return value == ANY || value == STRINGS;
  }
}
