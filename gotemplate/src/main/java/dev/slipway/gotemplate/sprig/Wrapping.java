package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Text;

/** Breaks a text into lines at spaces. Counts bytes, as sprig does. */
final class Wrapping {
  private final Call call;
  private final byte[] text;
  private final int width;
  private final byte[] separator;
  private final boolean breakWords;
  private final java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
  private int at;

  private Wrapping(Call call, long width, String separator, String text, boolean breakWords) {
    this.call = call;
    this.text = Text.bytes(text);
    this.width = Math.clamp(width, 1, Integer.MAX_VALUE - 8);
    this.separator = Text.bytes(separator.isEmpty() ? "\n" : separator);
    this.breakWords = breakWords;
  }

  /** Breaks at spaces only; a long word makes a long line. */
  static String words(Call call, long width, String text) {
    return new Wrapping(call, width, "", text, false).wrapped();
  }

  /** Breaks long words too. */
  static String all(Call call, long width, String separator, String text) {
    return new Wrapping(call, width, separator, text, true).wrapped();
  }

  private String wrapped() {
    while (text.length - at > width) {
      if (text[at] == ' ') {
        at++;
        continue;
      }
      int space = lastSpace(at, at + width);
      if (space >= at) {
        line(space, 1);
      } else if (breakWords) {
        line(at + width, 0);
      } else {
        int next = nextSpace(at + width);
        if (next < 0) {
          break;
        }
        line(next, 1);
      }
    }
    out.write(text, at, text.length - at);
    return Text.of(out.toByteArray());
  }

  private void line(int end, int skipped) {
    call.charge(1);
    if ((long) out.size() + (end - at) + separator.length > call.limits().output()) {
      call.room((long) out.size() + (end - at) + separator.length);
    }
    out.write(text, at, end - at);
    out.writeBytes(separator);
    at = end + skipped;
  }

  private int lastSpace(int from, int to) {
    int i = to;
    while (i >= from && text[i] != ' ') {
      i--;
    }
    return i;
  }

  private int nextSpace(int from) {
    for (int i = from; i < text.length; i++) {
      if (text[i] == ' ') {
        return i;
      }
    }
    return -1;
  }
}
