package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.GoType;
import dev.slipway.gotemplate.NilList;
import dev.slipway.gotemplate.TypedList;
import dev.slipway.gotemplate.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Functions on lists. A list is never changed: each gives a new one. */
final class ListFunctions {
  private ListFunctions() {}

  static List<Function> all() {
    List<Function> all = new ArrayList<>();
    all.addAll(making());
    all.addAll(taking());
    all.addAll(searching());
    return all;
  }

  private static List<Function> making() {
    return new FunctionGroup("Lists")
        .add("list", "(v ...any) []any", "a list of the values", c -> copied(c, c.rest(0)))
        .also("tuple")
        .add(
            "append",
            "(list any, v any) []any",
            "the list with v at its end",
            c -> added(c, "push on"))
        .also("mustAppend", "push", "mustPush")
        .add(
            "prepend",
            "(list any, v any) []any",
            "the list with v at its start",
            ListFunctions::prepended)
        .also("mustPrepend")
        .add(
            "concat",
            "(lists ...any) any",
            "the elements of all lists in one",
            ListFunctions::concatenated)
        .add(
            "reverse",
            "(list any) []any",
            "the elements from last to first",
            c -> copied(c, listOf(c, 0, "find reverse on")).reversed())
        .also("mustReverse")
        .add(
            "chunk",
            "(size int, list any) [][]any",
            "the list cut into lists of that size",
            ListFunctions::chunks)
        .also("mustChunk")
        .all();
  }

  private static List<Function> taking() {
    return new FunctionGroup("Lists")
        .add(
            "first",
            "(list any) any",
            "the first element",
            c ->
                listOf(c, 0, "find first on") instanceof List<?> l && !l.isEmpty()
                    ? l.getFirst()
                    : null)
        .also("mustFirst")
        .add(
            "last",
            "(list any) any",
            "the last element",
            c ->
                listOf(c, 0, "find last on") instanceof List<?> l && !l.isEmpty()
                    ? l.getLast()
                    : null)
        .also("mustLast")
        .add(
            "rest",
            "(list any) []any",
            "all but the first element",
            c -> cut(c, listOf(c, 0, "find rest on"), 1, 0))
        .also("mustRest")
        .add(
            "initial",
            "(list any) []any",
            "all but the last element",
            c -> cut(c, listOf(c, 0, "find initial on"), 0, 1))
        .also("mustInitial")
        .add(
            "slice",
            "(list any, indices ...any) any",
            "the elements from the first index up to the second",
            ListFunctions::sliced)
        .also("mustSlice")
        .all();
  }

  private static List<Function> searching() {
    return new FunctionGroup("Lists")
        .add(
            "has",
            "(v any, list any) bool",
            "whether v is in the list",
            c -> c.any(1) != null && contains(c, listOf(c, 1, "find has on"), c.any(0)))
        .also("mustHas")
        .add("uniq", "(list any) []any", "without repeated elements", ListFunctions::unique)
        .also("mustUniq")
        .add(
            "without", "(list any, v ...any) []any", "without these values", ListFunctions::without)
        .also("mustWithout")
        .add("compact", "(list any) []any", "without empty elements", ListFunctions::compact)
        .also("mustCompact")
        .all();
  }

  private static List<?> listOf(Call call, int index, String verb) {
    Object value = call.any(index);
    if (value == null) {
      throw call.fail("there is no list: the value is nil");
    }
    if (!(value instanceof List<?> list)) {
      throw call.fail("Cannot " + verb + " type " + Values.kind(value));
    }
    return list;
  }

  private static List<Object> copied(Call call, List<?> list) {
    call.charge(list.size());
    return new ArrayList<>(list);
  }

  private static List<Object> added(Call call, String verb) {
    List<Object> copy = copied(call, listOf(call, 0, verb));
    copy.add(call.any(1));
    return copy;
  }

  private static List<Object> prepended(Call call) {
    List<?> list = listOf(call, 0, "prepend on");
    call.charge(list.size());
    List<Object> copy = new ArrayList<>(list.size() + 1);
    copy.add(call.any(1));
    copy.addAll(list);
    return copy;
  }

  private static List<Object> concatenated(Call call) {
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < call.size(); i++) {
      List<?> list = listOf(call, i, "concat");
      call.charge(list.size());
      all.addAll(list);
    }
    return all.isEmpty() ? NilList.ANY : all;
  }

  private static Object chunks(Call call) {
    List<?> list = listOf(call, 1, "chunk");
    long size = call.integer(0);
    if (size <= 0) {
      throw call.fail("a chunk must have at least one element");
    }
    List<Object> chunks = new ArrayList<>();
    for (long from = 0; from < list.size(); from += size) {
      int to = (int) Math.min(list.size(), from + Math.min(size, list.size()));
      chunks.add(copied(call, list.subList((int) from, to)));
    }
    return TypedList.of(GoType.LIST, chunks);
  }

  private static List<Object> cut(Call call, List<?> list, int atStart, int atEnd) {
    return list.isEmpty() ? NilList.ANY : copied(call, list.subList(atStart, list.size() - atEnd));
  }

  private static @Nullable Object sliced(Call call) {
    List<?> list = listOf(call, 0, "slice");
    if (list.isEmpty()) {
      return null;
    }
    long from = call.size() > 1 ? Casting.integer(call, call.any(1)) : 0;
    long to = call.size() > 2 ? Casting.integer(call, call.any(2)) : list.size();
    if (from < 0 || to < from || to > list.size()) {
      throw call.fail("slice index out of bounds");
    }
    List<?> part = Collections.unmodifiableList(list.subList((int) from, (int) to));
    return list instanceof TypedList typed ? TypedList.of(typed.type().element(), part) : part;
  }

  private static boolean contains(Call call, List<?> list, @Nullable Object wanted) {
    DeepEqual equal = new DeepEqual(call);
    for (Object element : list) {
      if (equal.test(wanted, element)) {
        return true;
      }
    }
    return false;
  }

  private static List<Object> unique(Call call) {
    List<Object> seen = new ArrayList<>();
    for (Object element : listOf(call, 0, "find uniq on")) {
      if (!contains(call, seen, element)) {
        seen.add(element);
      }
    }
    return seen;
  }

  private static List<Object> without(Call call) {
    List<Object> kept = new ArrayList<>();
    List<Object> unwanted = call.rest(1);
    for (Object element : listOf(call, 0, "find without on")) {
      call.charge(1);
      if (!contains(call, unwanted, element)) {
        kept.add(element);
      }
    }
    return kept;
  }

  private static List<Object> compact(Call call) {
    List<Object> kept = new ArrayList<>(copied(call, listOf(call, 0, "compact on")));
    kept.removeIf(Emptiness::of);
    return kept;
  }
}
