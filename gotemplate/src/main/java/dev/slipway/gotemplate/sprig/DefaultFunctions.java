package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Function;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Defaults for values that are not set, and functions that fail the template. */
final class DefaultFunctions {
  private DefaultFunctions() {}

  static List<Function> all() {
    return new FunctionGroup("Defaults and flow")
        .add(
            "default",
            "(instead any, v ...any) any",
            "v, or instead when v is empty",
            DefaultFunctions::orDefault)
        .add(
            "empty",
            "(v any) bool",
            "whether v is nil, zero, false or has no elements",
            c -> Emptiness.of(c.any(0)))
        .add(
            "coalesce",
            "(v ...any) any",
            "the first value that is not empty",
            DefaultFunctions::firstSet)
        .add(
            "all",
            "(v ...any) bool",
            "whether no value is empty",
            c -> c.rest(0).stream().noneMatch(Emptiness::of))
        .add(
            "any",
            "(v ...any) bool",
            "whether a value is not empty",
            c -> !c.rest(0).stream().allMatch(Emptiness::of))
        .add(
            "ternary",
            "(yes any, no any, condition bool) any",
            "yes if the condition holds, else no",
            c -> c.bool(2) ? c.any(0) : c.any(1))
        .add("fail", "(message string) string", "stops with the message", DefaultFunctions::stop)
        .add("hello", "() string", "Hello!", c -> "Hello!")
        .all();
  }

  private static @Nullable Object orDefault(Call call) {
    return call.size() < 2 || Emptiness.of(call.any(1)) ? call.any(0) : call.any(1);
  }

  private static @Nullable Object firstSet(Call call) {
    for (Object value : call.rest(0)) {
      if (!Emptiness.of(value)) {
        return value;
      }
    }
    return null;
  }

  private static Object stop(Call call) {
    throw call.fail(call.string(0));
  }
}
