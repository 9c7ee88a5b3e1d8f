package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Function;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;

/** Arithmetic with floating point numbers and decimals. */
final class RealFunctions {
  private RealFunctions() {}

  static List<Function> all() {
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
            RealFunctions::round)
        .add("float64", "(v any) float64", "as a float64", c -> Casting.real(c.any(0)))
        .all();
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
}
