package dev.slipway.gotemplate;

import java.math.BigInteger;
import java.util.Locale;

/** Integers in the bases and with the signs and prefixes of printf, before padding. */
final class IntegerText {
  private IntegerText() {}

  static String of(FormatSpec spec, BigInteger number, int verb) {
    if (spec.precision == 0 && number.signum() == 0) {
      return "";
    }
    String sign = number.signum() < 0 ? "-" : spec.plus ? "+" : spec.space ? " " : "";
    String digits = number.abs().toString(radix(verb));
    digits = verb == 'X' ? digits.toUpperCase(Locale.ROOT) : digits;
    int wanted = spec.precision;
    if (wanted < 0 && spec.zero && !spec.minus && spec.width >= 0) {
      wanted = spec.width - sign.length();
    }
    digits = "0".repeat(Math.max(0, wanted - digits.length())) + digits;
    return sign + prefix(spec, verb, digits) + digits;
  }

  private static int radix(int verb) {
    return switch (verb) {
      case 'b' -> 2;
      case 'o', 'O' -> 8;
      case 'x', 'X' -> 16;
      default -> 10;
    };
  }

  private static String prefix(FormatSpec spec, int verb, String digits) {
    String octal = spec.sharp && !digits.startsWith("0") ? "0" : "";
    return switch (verb) {
      case 'b' -> spec.sharp ? "0b" : "";
      case 'o' -> octal;
      case 'O' -> "0o" + octal;
      case 'x' -> spec.sharp ? "0x" : "";
      case 'X' -> spec.sharp ? "0X" : "";
      default -> "";
    };
  }

  /** {@code U+0078}, with the character itself if sharp. */
  static String unicode(FormatSpec spec, BigInteger number) {
    BigInteger bits = number.signum() < 0 ? number.add(BigInteger.ONE.shiftLeft(64)) : number;
    String digits = bits.toString(16).toUpperCase(Locale.ROOT);
    int wanted = Math.max(4, spec.precision);
    String text = "U+" + "0".repeat(Math.max(0, wanted - digits.length())) + digits;
    boolean shown =
        spec.sharp
            && bits.bitLength() <= 21
            && bits.intValue() <= 0x10FFFF
            && Quoted.printable(bits.intValue());
    return shown ? text + " '" + Character.toString(bits.intValue()) + "'" : text;
  }
}
