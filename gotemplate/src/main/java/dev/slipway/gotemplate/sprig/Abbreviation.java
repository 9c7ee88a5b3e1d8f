package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Text;
import java.util.Arrays;

/** Cuts a text to a width and shows by dots where something is missing. Counts bytes. */
final class Abbreviation {
  private static final byte[] DOTS = {'.', '.', '.'};

  private Abbreviation() {}

  static String of(String text, long offset, long width) {
    if (width < 4 || offset > 0 && width < 7) {
      return text;
    }
    byte[] bytes = Text.bytes(text);
    return bytes.length <= width ? text : Text.of(cut(bytes, offset, (int) width));
  }

  private static byte[] cut(byte[] text, long wanted, int width) {
    int shown = width - 3;
    int offset = (int) Math.min(wanted, text.length - shown);
    if (offset <= 4) {
      return joined(Arrays.copyOf(text, shown), DOTS);
    }
    if (offset + shown < text.length) {
      byte[] rest = Arrays.copyOfRange(text, offset, text.length);
      return joined(DOTS, joined(Arrays.copyOf(rest, shown - 3), DOTS));
    }
    return joined(DOTS, Arrays.copyOfRange(text, text.length - shown, text.length));
  }

  private static byte[] joined(byte[] a, byte[] b) {
    byte[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    return both;
  }
}
