package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.GoInteger;
import dev.slipway.gotemplate.GoType;
import dev.slipway.gotemplate.TypedList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongBinaryOperator;
import java.util.stream.Collectors;

/** Arithmetic. Integers are int64 and wrap around; a value that is not a number counts as 0. */
final class NumberFunctions {
  private NumberFunctions() {}

  static List<Function> all() {
    List<Function> all = new ArrayList<>();
    all.addAll(integers());
    all.addAll(RealFunctions.all());
    all.addAll(sequences());
    return all;
  }

  private static List<Function> integers() {
    return new FunctionGroup("Numbers")
        .add("add", "(n ...any) int64", "the sum", c -> folded(c, 0, Long::sum))
        .add("add1", "(n any) int64", "one more", c -> GoInteger.int64(whole(c, 0) + 1))
        .add(
            "sub",
            "(a any, b any) int64",
            "a minus b",
            c -> GoInteger.int64(whole(c, 0) - whole(c, 1)))
        .add("mul", "(a any, n ...any) int64", "the product", c -> folded(c, 1, (a, b) -> a * b))
        .add(
            "div",
            "(a any, b any) int64",
            "a divided by b, rounded towards zero",
            c -> GoInteger.int64(whole(c, 0) / divisor(c)))
        .add(
            "mod",
            "(a any, b any) int64",
            "the remainder of a divided by b",
            c -> GoInteger.int64(whole(c, 0) % divisor(c)))
        .add(
            "max", "(a any, n ...any) int64", "the largest", c -> folded(c, whole(c, 0), Math::max))
        .also("biggest")
        .add(
            "min",
            "(a any, n ...any) int64",
            "the smallest",
            c -> folded(c, whole(c, 0), Math::min))
        .add("int", "(v any) int", "as an int", c -> whole(c, 0))
        .add("int64", "(v any) int64", "as an int64", c -> GoInteger.int64(whole(c, 0)))
        .add(
            "atoi",
            "(s string) int",
            "a decimal number",
            c -> GoNumbers.nearest(c.string(0), 10).orElse(0L))
        .add(
            "toDecimal",
            "(v any) int64",
            "an octal number",
            c -> GoInteger.int64(GoNumbers.int64(c.print(c.any(0)), 8).orElse(0L)))
        .all();
  }

  private static List<Function> sequences() {
    return new FunctionGroup("Numbers")
        .add(
            "until",
            "(count int) []int",
            "0, 1, … up to count",
            c -> TypedList.of(GoType.INT, steps(c, 0, c.integer(0), c.integer(0) < 0 ? -1 : 1)))
        .add(
            "untilStep",
            "(start int, stop int, step int) []int",
            "start, start + step, … up to stop",
            c -> TypedList.of(GoType.INT, steps(c, c.integer(0), c.integer(1), c.integer(2))))
        .add(
            "seq",
            "(n ...int) string",
            "the numbers of (end), (start, end) or (start, step, end) as text",
            NumberFunctions::sequence)
        .all();
  }

  private static long whole(Call call, int index) {
    return Casting.integer(call, call.any(index));
  }

  private static long divisor(Call call) {
    long divisor = whole(call, 1);
    if (divisor == 0) {
      throw call.fail("integer divide by zero");
    }
    return divisor;
  }

  private static GoInteger folded(Call call, long start, LongBinaryOperator operation) {
    long result = start;
    for (Object value : call.rest(0)) {
      result = operation.applyAsLong(result, Casting.integer(call, value));
    }
    return GoInteger.int64(result);
  }

  private static List<Long> steps(Call call, long start, long stop, long step) {
    List<Long> numbers = new ArrayList<>();
    if (step == 0 || stop < start != step < 0) {
      return numbers;
    }
    for (long i = start; step < 0 ? i > stop : i < stop; i += step) {
      call.charge(1);
      numbers.add(i);
      if (step > 0 ? i > Long.MAX_VALUE - step : i < Long.MIN_VALUE - step) {
        break;
      }
    }
    return numbers;
  }

  private static String sequence(Call call) {
    int size = call.size();
    if (size == 0 || size > 3) {
      return "";
    }
    long start = size == 1 ? 1 : call.integer(0);
    long end = call.integer(size - 1);
    long direction = end < start ? -1 : 1;
    long step = size == 3 ? call.integer(1) : direction;
    if (size == 3 && direction < 0 && step > 0) {
      return "";
    }
    List<Long> numbers = steps(call, start, end + direction, step);
    call.room(numbers.size() * 21L);
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }
}
