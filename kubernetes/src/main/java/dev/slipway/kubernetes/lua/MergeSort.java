package dev.slipway.kubernetes.lua;

import java.util.List;
import java.util.function.BiPredicate;
import org.luaj.vm2.LuaValue;

/** Sorts also with an order that contradicts itself, which the JDK's sort refuses. */
final class MergeSort {
  private MergeSort() {}

  static void sort(List<LuaValue> items, BiPredicate<LuaValue, LuaValue> isBefore) {
    LuaValue[] from = items.toArray(LuaValue[]::new);
    LuaValue[] to = from.clone();
    for (long width = 1; width < from.length; width *= 2) {
      for (long start = 0; start < from.length; start += 2 * width) {
        int middle = (int) Math.min(start + width, from.length);
        int end = (int) Math.min(start + 2 * width, from.length);
        merge(from, to, new Range((int) start, middle, end), isBefore);
      }
      LuaValue[] swap = from;
      from = to;
      to = swap;
    }
    for (int i = 0; i < from.length; i++) {
      items.set(i, from[i]);
    }
  }

  private record Range(int start, int middle, int end) {}

  private static void merge(
      LuaValue[] from, LuaValue[] to, Range range, BiPredicate<LuaValue, LuaValue> isBefore) {
    int left = range.start();
    int right = range.middle();
    for (int out = range.start(); out < range.end(); out++) {
      boolean takeRight =
          left == range.middle() || right < range.end() && isBefore.test(from[right], from[left]);
      to[out] = takeRight ? from[right++] : from[left++];
    }
  }
}
