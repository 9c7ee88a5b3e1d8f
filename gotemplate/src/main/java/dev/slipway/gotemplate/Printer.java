package dev.slipway.gotemplate;

import dev.slipway.gotemplate.FormatSpec.Fill;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints values as Go's fmt does, within the limits of an execution. */
final class Printer {
  private static final int DEEPEST = 1_000;

  private final StringBuilder out = new StringBuilder();
  private final Execution execution;
  FormatSpec spec = new FormatSpec();

  Printer(Execution execution) {
    this.execution = execution;
  }

  /** A value as {@code %v} prints it. */
  String print(@Nullable Object value) {
    argument(value, 'v');
    return toString();
  }

  @Override
  public String toString() {
    return Text.rejoin(out.toString());
  }

  void write(String text) {
    if (out.length() + (long) text.length() > execution.limits().output()) {
      throw execution.outputLimit();
    }
    out.append(text);
  }

  private void pad(String text, Fill fill) {
    execution.room(Math.max(spec.width, text.length()));
    write(spec.padded(text, fill));
  }

  /** Prints an argument of printf. */
  void argument(@Nullable Object value, int verb) {
    if (value == null) {
      if (verb == 'T' || verb == 'v') {
        pad("<nil>", Fill.ZERO_ALLOWED);
      } else {
        write("%!" + Character.toString(verb) + "(<nil>)");
      }
    } else if (verb == 'T') {
      pad(spec.truncated(Values.type(value).name()), Fill.ZERO_ALLOWED);
    } else if (verb == 'p') {
      badVerb(value, verb);
    } else {
      value(value, verb, 0);
    }
  }

  private void value(@Nullable Object value, int verb, int depth) {
    if (depth > DEEPEST) {
      throw execution.tooDeep();
    }
    execution.charge(1);
    switch (value) {
      case null -> nil(verb);
      case String text -> string(text, verb);
      case Boolean bool -> bool(bool, verb);
      case Long number when (verb == 'v' || verb == 'd') && spec.plain() ->
          write(Long.toString(number));
      case Long number -> integer(BigInteger.valueOf(number), value, verb);
      case Integer number -> integer(BigInteger.valueOf(number), value, verb);
      case Short number -> integer(BigInteger.valueOf(number), value, verb);
      case Byte number -> integer(BigInteger.valueOf(number), value, verb);
      case GoInteger number -> integer(new BigInteger(number.toString()), value, verb);
      case BigInteger number -> bigInteger(number, verb);
      case Double number -> real(FloatText.of(number), value, verb);
      case Float number -> real(FloatText.of(number), value, verb);
      case BigDecimal number -> real(FloatText.of(number.doubleValue()), value, verb);
      case Map<?, ?> map -> map(map, verb, depth);
      case List<?> list -> list(list, verb, depth);
      case GoObject object -> object(object, verb, depth);
      case Function _ -> write("0x0");
      case Record struct -> struct(struct, verb, depth);
      default -> throw Values.unsupported(value);
    }
  }

  private void nil(int verb) {
    write(
        spec.sharpV
            ? "interface {}(nil)"
            : verb == 'v' ? "<nil>" : "%!" + Character.toString(verb) + "(<nil>)");
  }

  private void badVerb(Object value, int verb) {
    write("%!" + Character.toString(verb) + "(" + Values.type(value) + "=");
    value(value, 'v', 0);
    write(")");
  }

  private void bool(boolean value, int verb) {
    if (verb == 't' || verb == 'v') {
      pad(Boolean.toString(value), Fill.ZERO_ALLOWED);
    } else {
      badVerb(value, verb);
    }
  }

  private void string(String text, int verb) {
    switch (verb) {
      case 'v' -> pad(spec.sharpV ? quoted(text) : spec.truncated(text), Fill.ZERO_ALLOWED);
      case 's' -> pad(spec.truncated(text), Fill.ZERO_ALLOWED);
      case 'q' -> pad(quoted(text), Fill.ZERO_ALLOWED);
      case 'x' -> pad(hex(Text.bytes(text), "0123456789abcdefx"), Fill.ZERO_ALLOWED);
      case 'X' -> pad(hex(Text.bytes(text), "0123456789ABCDEFX"), Fill.ZERO_ALLOWED);
      default -> badVerb(text, verb);
    }
  }

  private String quoted(String text) {
    execution.room(text.length() * 4L);
    String cut = spec.truncated(text);
    if (spec.sharp && Quoted.canBackquote(cut)) {
      return "`" + cut + "`";
    }
    return Quoted.quote(
        cut, '"', spec.plus ? Quoted.Escaping.NOT_ASCII : Quoted.Escaping.UNPRINTABLE);
  }

  private String hex(byte[] bytes, String digits) {
    execution.room(bytes.length * 2L);
    int length = spec.precision < 0 ? bytes.length : Math.min(bytes.length, spec.precision);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(spec.space && i > 0 ? " " : "");
      if (spec.sharp && (i == 0 || spec.space)) {
        text.append('0').append(digits.charAt(16));
      }
      text.append(digits.charAt(bytes[i] >> 4 & 15)).append(digits.charAt(bytes[i] & 15));
    }
    return text.toString();
  }

  private void integer(BigInteger number, Object value, int verb) {
    if (verb == 'v' && spec.sharpV && Values.kind(value).unsigned()) {
      boolean sharp = spec.sharp;
      spec.sharp = true;
      pad(IntegerText.of(spec, number, 'x'), Fill.BLANKS);
      spec.sharp = sharp;
      return;
    }
    switch (verb) {
      case 'v', 'd', 'b', 'o', 'O', 'x', 'X' -> {
        execution.room(Math.max(spec.width, spec.precision));
        pad(IntegerText.of(spec, number, verb), Fill.BLANKS);
      }
      case 'c' -> pad(Character.toString(character(number)), Fill.ZERO_ALLOWED);
      case 'q' -> pad(quotedCharacter(character(number)), Fill.ZERO_ALLOWED);
      case 'U' -> {
        execution.room(spec.precision);
        pad(IntegerText.unicode(spec, number), Fill.BLANKS);
      }
      default -> badVerb(value, verb);
    }
  }

  /** Go's big.Int formats itself: also as a string, never as a character. */
  private void bigInteger(BigInteger number, int verb) {
    switch (verb) {
      case 'v', 'd', 'b', 'o', 'O', 'x', 'X' -> integer(number, number, verb);
      case 's' -> integer(number, number, 'd');
      default -> write("%!" + Character.toString(verb) + "(big.Int=" + number + ")");
    }
  }

  private static int character(BigInteger number) {
    boolean valid =
        number.signum() >= 0 && number.bitLength() <= 21 && number.intValue() <= 0x10FFFF;
    int point = valid ? number.intValue() : 0xFFFD;
    return point >= 0xD800 && point <= 0xDFFF ? 0xFFFD : point;
  }

  private String quotedCharacter(int point) {
    return Quoted.quote(
        Character.toString(point),
        '\'',
        spec.plus ? Quoted.Escaping.NOT_ASCII : Quoted.Escaping.UNPRINTABLE);
  }

  private void real(FloatText number, Object value, int verb) {
    execution.room(Math.max(spec.width, spec.precision));
    switch (verb) {
      case 'v' -> write(number.format(spec, 'g', -1));
      case 'b', 'g', 'G', 'x', 'X' -> write(number.format(spec, (char) verb, -1));
      case 'f', 'e', 'E' -> write(number.format(spec, (char) verb, 6));
      case 'F' -> write(number.format(spec, 'f', 6));
      default -> badVerb(value, verb);
    }
  }

  private void map(Map<?, ?> map, int verb, int depth) {
    write(spec.sharpV ? Values.type(map) + "{" : "map[");
    String separator = "";
    for (String key : Values.sortedKeys(map)) {
      write(separator);
      string(key, verb);
      write(":");
      element(map.get(key), Values.type(map).element(), verb, depth);
      separator = spec.sharpV ? ", " : " ";
    }
    write(spec.sharpV ? "}" : "]");
  }

  private void list(List<?> list, int verb, int depth) {
    GoType element = Values.type(list).element();
    if (element.kind() == Kind.UINT8
        && (verb == 's' || verb == 'q' || verb == 'x' || verb == 'X')) {
      string(Text.of(octets(list)), verb);
      return;
    }
    write(spec.sharpV ? (element.kind() == Kind.UINT8 ? "[]byte" : Values.type(list)) + "{" : "[");
    String separator = "";
    for (Object each : list) {
      write(separator);
      element(each, element, verb, depth);
      separator = spec.sharpV ? ", " : " ";
    }
    write(spec.sharpV ? "}" : "]");
  }

  private static byte[] octets(List<?> list) {
    byte[] bytes = new byte[list.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ((GoInteger) list.get(i)).value();
    }
    return bytes;
  }

  /** An element of an interface type prints its nil even for verbs that do not fit. */
  private void element(@Nullable Object value, GoType type, int verb, int depth) {
    if (value == null && type.kind() == Kind.INTERFACE && !spec.sharpV) {
      write("<nil>");
    } else {
      value(value, verb, depth + 1);
    }
  }

  private void struct(Record struct, int verb, int depth) {
    RecordFields fields = RecordFields.of(struct);
    write(spec.sharpV ? Values.type(struct) + "{" : "{");
    String separator = "";
    for (String name : fields.names()) {
      write(separator + (spec.plusV || spec.sharpV ? name + ":" : ""));
      value(fields.read(struct, name), verb, depth + 1);
      separator = spec.sharpV ? ", " : " ";
    }
    write("}");
  }

  private void object(GoObject object, int verb, int depth) {
    boolean text = verb == 'v' || verb == 's' || verb == 'q' || verb == 'x' || verb == 'X';
    if (text) {
      string(object.text(), verb == 'v' ? 's' : verb);
    } else if (object.underlying() != object) {
      value(object.underlying(), verb, depth);
    } else {
      write("%!" + Character.toString(verb) + "(" + object.type() + "=" + object.text() + ")");
    }
  }
}
