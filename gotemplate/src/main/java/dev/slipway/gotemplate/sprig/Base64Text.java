package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Text;
import java.io.ByteArrayOutputStream;

/** Reads base 64 with padding; line breaks are allowed anywhere. */
final class Base64Text {
  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  private final byte[] in;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private int at;

  private Base64Text(byte[] in) {
    this.in = in;
  }

  /** The decoded text, or what is wrong and where. */
  static String decode(byte[] in) {
    Base64Text text = new Base64Text(in);
    int wrong = text.decode();
    return wrong < 0
        ? Text.of(text.out.toByteArray())
        : "illegal base64 data at input byte " + wrong;
  }

  /** Answers where the first mistake is, or -1. */
  private int decode() {
    int bits = 0;
    int count = 0;
    while (at < in.length) {
      byte c = in[at++];
      int value = c == '\n' || c == '\r' ? -2 : ALPHABET.indexOf(c);
      if (value >= 0) {
        bits = bits << 6 | value;
        if (++count == 4) {
          write(bits, 3);
          count = 0;
        }
      } else if (c == '=') {
        return padding(bits, count);
      } else if (value == -1) {
        return at - 1;
      }
    }
    return count == 0 ? -1 : at - count;
  }

  private int padding(int bits, int count) {
    if (count < 2) {
      return at - 1;
    }
    if (count == 2) {
      skipLineBreaks();
      if (at == in.length) {
        return in.length;
      }
      if (in[at] != '=') {
        return at - 1;
      }
      at++;
    }
    skipLineBreaks();
    write(bits << 6 * (4 - count), count - 1);
    return at < in.length ? at : -1;
  }

  private void skipLineBreaks() {
    while (at < in.length && (in[at] == '\n' || in[at] == '\r')) {
      at++;
    }
  }

  private void write(int bits, int bytes) {
    for (int i = 0; i < bytes; i++) {
      out.write(bits >> (16 - 8 * i));
    }
  }
}
