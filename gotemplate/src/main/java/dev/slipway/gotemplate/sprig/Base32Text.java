package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Text;
import java.io.ByteArrayOutputStream;

/** Base 32 with padding. */
final class Base32Text {
  private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

  private Base32Text() {}

  static String encode(byte[] in) {
    StringBuilder out = new StringBuilder((in.length + 4) / 5 * 8);
    for (int i = 0; i < in.length; i += 5) {
      int size = Math.min(5, in.length - i);
      long bits = 0;
      for (int j = 0; j < 5; j++) {
        bits = bits << 8 | (j < size ? in[i + j] & 0xff : 0);
      }
      int digits = (size * 8 + 4) / 5;
      for (int j = 0; j < 8; j++) {
        out.append(j < digits ? ALPHABET.charAt((int) (bits >> (35 - 5 * j)) & 31) : '=');
      }
    }
    return out.toString();
  }

  /** The decoded text, or what is wrong and where. */
  static String decode(byte[] text) {
    byte[] in = withoutLineBreaks(text);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int group = 0; group < in.length; group += 8) {
      long bits = 0;
      int digits = 0;
      while (digits < 8) {
        int at = group + digits;
        if (at == in.length) {
          return wrong(at - digits);
        }
        if (in[at] == '=' && digits >= 2 && in.length - at <= 8) {
          break;
        }
        int value = ALPHABET.indexOf(in[at]);
        if (value < 0) {
          return wrong(at);
        }
        bits = bits << 5 | value;
        digits++;
      }
      int mistake = digits < 8 ? paddingMistake(in, group, digits) : -1;
      if (mistake >= 0) {
        return wrong(mistake);
      }
      bits <<= 5 * (8 - digits);
      for (int i = 0; i < digits * 5 / 8; i++) {
        out.write((int) (bits >> (32 - 8 * i)));
      }
      if (digits < 8) {
        break;
      }
    }
    return Text.of(out.toByteArray());
  }

  private static int paddingMistake(byte[] in, int group, int digits) {
    int after = group + digits + 1;
    if (in.length - after + digits < 7) {
      return in.length;
    }
    for (int i = 0; i < 7 - digits; i++) {
      if (after + i < in.length && in[after + i] != '=') {
        return after + i - 1;
      }
    }
    return digits == 3 || digits == 6 ? after - 1 : -1;
  }

  private static byte[] withoutLineBreaks(byte[] in) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(in.length);
    for (byte b : in) {
      if (b != '\n' && b != '\r') {
        out.write(b);
      }
    }
    return out.toByteArray();
  }

  private static String wrong(int at) {
    return "illegal base32 data at input byte " + at;
  }
}
