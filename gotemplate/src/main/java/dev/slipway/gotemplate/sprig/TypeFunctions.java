package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.Values;
import java.util.List;

/** Functions that report or test types. */
final class TypeFunctions {
  private TypeFunctions() {}

  static List<Function> all() {
    return new FunctionGroup("Types")
        .add("typeOf", "(v any) string", "the Go type", c -> type(c, 0))
        .add(
            "typeIs",
            "(type string, v any) bool",
            "whether v has that Go type",
            c -> c.string(0).equals(type(c, 1)))
        .add(
            "typeIsLike",
            "(type string, v any) bool",
            "whether v has that Go type or points to one",
            c -> isLike(c.string(0), type(c, 1)))
        .add(
            "kindOf",
            "(v any) string",
            "the Go kind: string, int, float64, bool, map, slice, …",
            c -> Values.kind(c.any(0)).toString())
        .add(
            "kindIs",
            "(kind string, v any) bool",
            "whether v has that Go kind",
            c -> c.string(0).equals(Values.kind(c.any(1)).toString()))
        .add(
            "deepEqual",
            "(a any, b any) bool",
            "whether types and contents are equal",
            c -> new DeepEqual(c).test(c.any(0), c.any(1)))
        .all();
  }

  private static String type(Call call, int index) {
    return Values.type(call.any(index)).name();
  }

  private static boolean isLike(String wanted, String actual) {
    return wanted.equals(actual) || actual.equals("*" + wanted);
  }
}
