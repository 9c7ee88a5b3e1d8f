package dev.slipway.kubernetes.lua;

import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;

/** Library {@code math} of Lua 5.1. Random numbers are the same ones in every evaluation. */
final class MathLibrary {
  private MathLibrary() {}

  static LuaTable open() {
    LuaTable library = new LuaTable();
    library.set("pi", Math.PI);
    library.set("huge", Double.MAX_VALUE); // as in Argo CD
    of(library, "abs", Math::abs);
    of(library, "acos", Math::acos);
    of(library, "asin", Math::asin);
    of(library, "atan", Math::atan);
    of(library, "ceil", Math::ceil);
    of(library, "cos", Math::cos);
    of(library, "cosh", Math::cosh);
    of(library, "deg", Math::toDegrees);
    of(library, "exp", Math::exp);
    of(library, "floor", Math::floor);
    of(library, "log", Math::log);
    of(library, "log10", Math::log10);
    of(library, "rad", Math::toRadians);
    of(library, "sin", Math::sin);
    of(library, "sinh", Math::sinh);
    of(library, "sqrt", Math::sqrt);
    of(library, "tan", Math::tan);
    of(library, "tanh", Math::tanh);
    ofTwo(library, "atan2", Math::atan2);
    ofTwo(library, "fmod", (x, y) -> x % y);
    ofTwo(library, "mod", (x, y) -> x - Math.floor(x / y) * y);
    ofTwo(library, "pow", Math::pow);
    ofTwo(library, "ldexp", (x, y) -> x * Math.pow(2, y));
    Native.add(library, "max", a -> best(a, Math::max));
    Native.add(library, "min", a -> best(a, Math::min));
    Native.add(library, "modf", MathLibrary::parts);
    Native.add(library, "random", MathLibrary::random);
    Native.add(
        library,
        "randomseed",
        a -> {
          a.evaluation().random().setSeed((long) a.number(1));
          return LuaValue.NONE;
        });
    return library;
  }

  private static void of(LuaTable library, String name, DoubleUnaryOperator function) {
    Native.add(library, name, a -> LuaValue.valueOf(function.applyAsDouble(a.number(1))));
  }

  private static void ofTwo(LuaTable library, String name, DoubleBinaryOperator function) {
    Native.add(
        library, name, a -> LuaValue.valueOf(function.applyAsDouble(a.number(1), a.number(2))));
  }

  private static Varargs best(Arguments a, DoubleBinaryOperator better) {
    double best = a.number(1);
    for (int i = 2; i <= a.count(); i++) {
      best = better.applyAsDouble(best, a.number(i));
    }
    a.evaluation().work(a.count());
    return LuaValue.valueOf(best);
  }

  private static Varargs parts(Arguments a) {
    double number = a.number(1);
    double whole = number < 0 ? Math.ceil(number) : Math.floor(number);
    return LuaValue.varargsOf(LuaValue.valueOf(whole), LuaValue.valueOf(number - whole));
  }

  private static Varargs random(Arguments a) {
    double random = a.evaluation().random().nextDouble();
    if (a.count() == 0) {
      return LuaValue.valueOf(random);
    }
    double low = a.count() == 1 ? 1 : a.number(1);
    double high = a.number(a.count() == 1 ? 1 : 2);
    if (low > high) {
      throw a.wrong(a.count() == 1 ? 1 : 2, "interval is empty");
    }
    return LuaValue.valueOf(Math.floor(random * (high - low + 1)) + low);
  }
}
