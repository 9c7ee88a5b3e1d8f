package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.GoInteger;
import dev.slipway.gotemplate.GoType;
import dev.slipway.gotemplate.TypedList;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Arithmetic. Integers are int64 and wrap around; a value that is not a number counts as 0. */
final class NumberFunctions {
  private NumberFunctions() {}

  static List<Function> all() {
    List<Function> all = new ArrayList<>();
    all.addAll(integers());
    all.addAll(reals());
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

  private static List<Function> reals() {
    return new FunctionGroup("Numbers")
        .add(
            "addf",
            "(n ...any) float64",
            "the sum",
            c -> decimals(c, BigDecimal.ZERO, 0, BigDecimal::add))
        .add(
            "add1f",
            "(n any) float64",
            "one more",
            c -> decimal(c, c.any(0)).add(BigDecimal.ONE).doubleValue())
        .add(
            "subf",
            "(a any, n ...any) float64",
            "a minus the others",
            c -> decimals(c, decimal(c, c.any(0)), 1, BigDecimal::subtract))
        .add(
            "mulf",
            "(a any, n ...any) float64",
            "the product",
            c -> decimals(c, decimal(c, c.any(0)), 1, BigDecimal::multiply))
        .add(
            "divf",
            "(a any, n ...any) float64",
            "a divided by the others",
            c -> decimals(c, decimal(c, c.any(0)), 1, (a, b) -> quotient(c, a, b)))
        .add("maxf", "(a any, n ...any) float64", "the largest", c -> foldedReals(c, Math::max))
        .add("minf", "(a any, n ...any) float64", "the smallest", c -> foldedReals(c, Math::min))
        .add("floor", "(v any) float64", "rounded down", c -> Math.floor(Casting.real(c.any(0))))
        .add("ceil", "(v any) float64", "rounded up", c -> Math.ceil(Casting.real(c.any(0))))
        .add(
            "round",
            "(v any, places int, on ...float64) float64",
            "rounded to decimal places, up from on (.5)",
            NumberFunctions::round)
        .add("float64", "(v any) float64", "as a float64", c -> Casting.real(c.any(0)))
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

  private static double foldedReals(Call call, DoubleBinaryOperator operation) {
    double result = Casting.real(call.any(0));
    for (Object value : call.rest(1)) {
      result = operation.applyAsDouble(result, Casting.real(value));
    }
    return result;
  }

  private static double decimals(
      Call call, BigDecimal start, int from, BinaryOperator<BigDecimal> operation) {
    BigDecimal result = start;
    for (Object value : call.rest(from)) {
      result = operation.apply(result, decimal(call, value));
      call.charge(result.precision() >> 5);
    }
    return result.doubleValue();
  }

  private static BigDecimal decimal(Call call, @Nullable Object value) {
    double real = Casting.real(value);
    if (!Double.isFinite(real)) {
      throw call.fail("cannot calculate with " + call.print(real));
    }
    return new BigDecimal(Double.toString(real));
  }

  /** Sixteen decimal places, as the decimals that sprig calculates with. */
  private static BigDecimal quotient(Call call, BigDecimal a, BigDecimal b) {
    if (b.signum() == 0) {
      throw call.fail("decimal division by 0");
    }
    return a.divide(b, 16, RoundingMode.HALF_UP);
  }

  private static double round(Call call) {
    double on = call.size() > 2 ? call.real(2) : .5;
    double power = Math.pow(10, call.integer(1));
    double digit = power * Casting.real(call.any(0));
    double fraction = digit - (digit < 0 ? Math.ceil(digit) : Math.floor(digit));
    return (fraction >= on ? Math.ceil(digit) : Math.floor(digit)) / power;
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
