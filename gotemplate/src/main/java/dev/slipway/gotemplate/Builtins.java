package dev.slipway.gotemplate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The functions that every template has. */
final class Builtins {
  private static final String GROUP = "Built-in";

  /** Evaluated by {@link Expression.Logic}, which stops at the deciding argument. */
  static final Function AND =
      function(
          "and",
          "(first any, rest ...any) any",
          "the first argument that is false, or the last",
          Builtins::unreachable);

  static final Function OR =
      function(
          "or",
          "(first any, rest ...any) any",
          "the first argument that is true, or the last",
          Builtins::unreachable);

  static final Functions ALL =
      Functions.of(
          AND,
          OR,
          function(
              "not",
              "(v any) bool",
              "true if the argument is false or empty",
              c -> !Values.truth(c.any(0))),
          function(
              "len", "(v any) int", "length of a string in bytes, a list or a map", Builtins::len),
          function(
              "index",
              "(v any, keys ...any) any",
              "element of a list, map or string; several keys go deeper",
              Builtins::index),
          function(
              "slice",
              "(v any, bounds ...any) any",
              "part of a string or list: from, from and to",
              Builtins::slice),
          function(
              "call",
              "(f any, args ...any) any",
              "the result of calling a function that is a value",
              Builtins::call),
          function(
              "print",
              "(v ...any) string",
              "the arguments as text, blanks between those that are no strings",
              c -> print(c, c.rest(0))),
          function(
              "println",
              "(v ...any) string",
              "the arguments as text with blanks between them and a line end",
              Builtins::println),
          function(
              "printf",
              "(format string, v ...any) string",
              "the arguments formatted",
              c -> c.format(c.string(0), c.rest(1).toArray())),
          function(
              "html",
              "(v ...any) string",
              "the arguments as text, escaped for HTML",
              c -> Escapes.html(c, printable(c))),
          function(
              "js",
              "(v ...any) string",
              "the arguments as text, escaped for JavaScript",
              c -> Escapes.js(c, printable(c))),
          function(
              "urlquery",
              "(v ...any) string",
              "the arguments as text, escaped for the query of a URL",
              c -> Escapes.urlquery(c, printable(c))),
          function(
              "eq",
              "(a any, b ...any) bool",
              "whether the first argument equals one of the others",
              Builtins::eq),
          function(
              "ne",
              "(a any, b any) bool",
              "whether the arguments differ",
              c -> !Comparison.equal(c, c.any(0), c.any(1))),
          function(
              "lt", "(a any, b any) bool", "a < b", c -> Comparison.less(c, c.any(0), c.any(1))),
          function(
              "le",
              "(a any, b any) bool",
              "a <= b",
              c -> Comparison.lessOrEqual(c, c.any(0), c.any(1))),
          function(
              "gt",
              "(a any, b any) bool",
              "a > b",
              c -> !Comparison.lessOrEqual(c, c.any(0), c.any(1))),
          function(
              "ge", "(a any, b any) bool", "a >= b", c -> !Comparison.less(c, c.any(0), c.any(1))));

  private Builtins() {}

  private static Function function(String name, String signature, String doc, Function.Body body) {
    return Function.of(name, GROUP, signature, doc, body);
  }

  private static Object unreachable(Call call) {
    throw new IllegalStateException("and, or are not called like other functions");
  }

  private static Object len(Call call) {
    return switch (call.any(0)) {
      case String text -> (long) Text.length(text);
      case List<?> list -> (long) list.size();
      case Map<?, ?> map -> (long) map.size();
      case null -> throw call.fail("len of nil pointer");
      default -> throw call.fail("len of type " + Values.type(call.any(0)));
    };
  }

  private static Object eq(Call call) {
    if (call.size() < 2) {
      throw call.fail("missing argument for comparison");
    }
    for (int i = 1; i < call.size(); i++) {
      if (Comparison.equal(call, call.any(0), call.any(i))) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Object index(Call call) {
    Object item = call.any(0);
    if (item == null) {
      throw call.fail("index of untyped nil");
    }
    for (int i = 1; i < call.size(); i++) {
      Object key = call.any(i);
      item =
          switch (item) {
            case null -> throw call.fail("index of nil pointer");
            case String text -> octet(call, text, bound(call, key, Text.length(text), -1));
            case List<?> list -> list.get(bound(call, key, list.size(), -1));
            case Map<?, ?> map -> entry(call, map, key);
            default -> throw call.fail("can't index item of type " + Values.type(item));
          };
    }
    return Values.of(item);
  }

  private static Object octet(Call call, String text, int index) {
    call.charge(text.length() >> 4);
    return GoInteger.octet(Text.bytes(text)[index]);
  }

  private static @Nullable Object entry(Call call, Map<?, ?> map, @Nullable Object key) {
    if (key == null) {
      throw call.fail("value is nil; should be of type string");
    }
    if (!(key instanceof String)) {
      throw call.fail("value has type " + Values.type(key) + "; should be string");
    }
    Object value = map.get(key);
    return value == null ? Values.zero(Values.type(map).element()) : value;
  }

  /** An index up to a limit; elements end one before the limit, slices at it. */
  private static int bound(Call call, @Nullable Object index, int limit, int beyond) {
    long value =
        switch (index) {
          case Long number -> number;
          case GoInteger number -> number.value();
          case null -> throw call.fail("cannot index slice/array with nil");
          default -> throw call.fail("cannot index slice/array with type " + Values.type(index));
        };
    if (value < 0 || value > limit + beyond) {
      throw call.fail("index out of range: " + value);
    }
    return (int) value;
  }

  private static Object slice(Call call) {
    Object item = call.any(0);
    int bounds = call.size() - 1;
    if (item == null) {
      throw call.fail("slice of untyped nil");
    }
    if (bounds > 3) {
      throw call.fail("too many slice indexes: " + bounds);
    }
    if (item instanceof String && bounds == 3) {
      throw call.fail("cannot 3-index slice a string");
    }
    int length =
        switch (item) {
          case String text -> Text.length(text);
          case List<?> list -> list.size();
          default -> throw call.fail("can't slice item of type " + Values.type(item));
        };
    int from = bounds > 0 ? bound(call, call.any(1), length, 0) : 0;
    int to = bounds > 1 ? bound(call, call.any(2), length, 0) : length;
    int capacity = bounds > 2 ? bound(call, call.any(3), length, 0) : length;
    if (from > to || to > capacity) {
      throw call.fail(
          "invalid slice index: " + (from > to ? from + " > " + to : to + " > " + capacity));
    }
    if (item instanceof String text) {
      call.room(text.length());
      return Text.slice(text, from, to);
    }
    List<?> part = ((List<?>) item).subList(from, to);
    return item instanceof TypedList typed ? TypedList.of(typed.type().element(), part) : part;
  }

  private static @Nullable Object call(Call call) {
    Object value = call.any(0);
    if (value == null) {
      throw call.fail("call of nil");
    }
    if (!(value instanceof Function function)) {
      throw call.fail("non-function of type " + Values.type(value));
    }
    Object[] arguments = call.rest(1).toArray();
    Execution x = call.execution();
    Arguments.checkCount(x, call.place(), function, arguments.length);
    for (int i = 0; i < arguments.length; i++) {
      Arguments.conform(x, call.place(), arguments[i], Arguments.type(function, i));
    }
    return x.invoke(function, function.name(), call.place(), arguments);
  }

  private static String print(Call call, List<?> values) {
    if (values.size() == 1) {
      return call.print(values.getFirst());
    }
    StringBuilder text = new StringBuilder();
    boolean afterString = true;
    for (Object value : values) {
      boolean string = value instanceof String;
      if (!string && !afterString) {
        text.append(' ');
      }
      text.append(call.print(value));
      call.room(text.length());
      afterString = string;
    }
    return Text.rejoin(text.toString());
  }

  private static String println(Call call) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < call.size(); i++) {
      text.append(i == 0 ? "" : " ").append(call.print(call.any(i)));
      call.room(text.length());
    }
    return Text.rejoin(text.append('\n').toString());
  }

  /** The arguments of an escaping function as text; nil is what templates print for it. */
  private static String printable(Call call) {
    List<Object> values = new ArrayList<>(call.rest(0));
    values.replaceAll(value -> value == null ? "<no value>" : value);
    return print(call, values);
  }
}
