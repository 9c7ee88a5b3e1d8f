package dev.slipway.gotemplate;

import org.jspecify.annotations.Nullable;

/** One call of {@code printf}: reads the format and hands each verb to a {@link Printer}. */
final class Printf {
  private static final int WIDEST = 1_000_000;

  private final Printer printer;
  private final String format;
  private final @Nullable Object[] arguments;
  private int at;
  private int next;
  private boolean reordered;
  private boolean goodIndex;
  private boolean afterIndex;

  Printf(Execution execution, String format, @Nullable Object[] arguments) {
    this.printer = new Printer(execution);
    this.format = format;
    this.arguments = arguments;
  }

  String format() {
    while (at < format.length()) {
      int percent = format.indexOf('%', at);
      printer.write(format.substring(at, percent < 0 ? format.length() : percent));
      if (percent < 0) {
        break;
      }
      at = percent + 1;
      directive();
    }
    if (!reordered && next < arguments.length) {
      extra();
    }
    return printer.toString();
  }

  private void directive() {
    FormatSpec spec = new FormatSpec();
    printer.spec = spec;
    goodIndex = true;
    afterIndex = false;
    while (at < format.length() && spec.flag(format.charAt(at))) {
      at++;
    }
    index();
    width(spec);
    precision(spec);
    if (!afterIndex) {
      index();
    }
    if (at >= format.length()) {
      printer.write("%!(NOVERB)");
      return;
    }
    int verb = format.codePointAt(at);
    at += Character.charCount(verb);
    apply(spec, verb);
  }

  private void apply(FormatSpec spec, int verb) {
    if (verb == '%') {
      printer.write("%");
    } else if (!goodIndex) {
      printer.write("%!" + Character.toString(verb) + "(BADINDEX)");
    } else if (next >= arguments.length) {
      printer.write("%!" + Character.toString(verb) + "(MISSING)");
    } else {
      if (verb == 'v') {
        spec.goSyntax();
      }
      printer.argument(arguments[next++], verb);
    }
  }

  private void width(FormatSpec spec) {
    if (at < format.length() && format.charAt(at) == '*') {
      at++;
      Integer width = fromArgument();
      if (width == null) {
        printer.write("%!(BADWIDTH)");
      } else {
        spec.width = Math.abs(width);
        spec.minus |= width < 0;
        spec.zero &= width >= 0;
      }
      afterIndex = false;
      return;
    }
    spec.width = number();
    if (afterIndex && spec.width >= 0) {
      goodIndex = false;
    }
  }

  private void precision(FormatSpec spec) {
    if (at + 1 >= format.length() || format.charAt(at) != '.') {
      return;
    }
    at++;
    if (afterIndex) {
      goodIndex = false;
    }
    index();
    if (at < format.length() && format.charAt(at) == '*') {
      at++;
      Integer precision = fromArgument();
      if (precision == null || precision < 0) {
        printer.write("%!(BADPREC)");
      } else {
        spec.precision = precision;
      }
      afterIndex = false;
      return;
    }
    spec.precision = Math.max(number(), 0);
  }

  /** An unsigned number in the format; -1 if there is none or it is absurdly large. */
  private int number() {
    int start = at;
    int value = 0;
    while (at < format.length() && format.charAt(at) >= '0' && format.charAt(at) <= '9') {
      if (value > WIDEST) {
        at = format.length();
        return -1;
      }
      value = value * 10 + format.charAt(at++) - '0';
    }
    return at == start ? -1 : value;
  }

  /** A width or precision given as argument; null if it is no suitable integer. */
  private @Nullable Integer fromArgument() {
    if (next >= arguments.length) {
      return null;
    }
    Object argument = arguments[next++];
    long value =
        switch (argument) {
          case Long number -> number;
          case GoInteger number -> number.value();
          case null, default -> Long.MAX_VALUE;
        };
    return Math.abs(value) > WIDEST || value == Long.MIN_VALUE ? null : (Integer) (int) value;
  }

  /** An explicit argument index such as {@code [2]}. */
  private void index() {
    afterIndex = false;
    if (at >= format.length() || format.charAt(at) != '[') {
      return;
    }
    reordered = true;
    int close = format.indexOf(']', at);
    if (close < 0) {
      goodIndex = false;
      at++;
      return;
    }
    String digits = format.substring(at + 1, close);
    at = close + 1;
    boolean valid = !digits.isEmpty() && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    int index = valid ? Integer.parseInt(digits.length() > 9 ? "9".repeat(9) : digits) : 0;
    afterIndex = valid;
    if (index > 0 && index <= arguments.length) {
      next = index - 1;
    } else {
      goodIndex = false;
    }
  }

  private void extra() {
    printer.spec = new FormatSpec();
    printer.write("%!(EXTRA ");
    for (int i = next; i < arguments.length; i++) {
      printer.write(i > next ? ", " : "");
      if (arguments[i] == null) {
        printer.write("<nil>");
      } else {
        printer.write(Values.type(arguments[i]) + "=");
        printer.argument(arguments[i], 'v');
      }
    }
    printer.write(")");
  }
}
