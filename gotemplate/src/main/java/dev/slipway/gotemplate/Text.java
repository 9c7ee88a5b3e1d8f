package dev.slipway.gotemplate;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/**
 * Go's view of a string: UTF-8 bytes. A byte that is no part of valid UTF-8 is kept in a Java
 * string as a lone surrogate U+DC80 to U+DCFF, so that cutting a character in two, or decoding
 * binary data, loses nothing.
 */
public final class Text {
  /** Go's order of strings: by bytes, which is the order of code points, not of UTF-16 units. */
  public static final Comparator<String> ORDER = Text::compare;

  private Text() {}

  /** Number of bytes, as Go's {@code len}. */
  public static int length(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80 || isByte(text, i)) {
        bytes++;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (Character.isHighSurrogate(c) && pairAt(text, i)) {
        bytes += 4;
        i++;
      } else {
        bytes += 3;
      }
    }
    return bytes;
  }

  /** The bytes of a string. */
  public static byte[] bytes(String text) {
    if (!hasLoneSurrogate(text)) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length() + 8);
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      if (isByte(text, i)) {
        bytes.write(point - 0xDC00);
      } else if (point >= 0xD800 && point <= 0xDFFF) {
        bytes.writeBytes(new byte[] {(byte) 0xEF, (byte) 0xBF, (byte) 0xBD});
      } else {
        bytes.writeBytes(Character.toString(point).getBytes(StandardCharsets.UTF_8));
      }
      i += Character.charCount(point);
    }
    return bytes.toByteArray();
  }

  /** The string of these bytes; bytes that are not UTF-8 are kept. */
  public static String of(byte[] bytes) {
    return of(bytes, 0, bytes.length);
  }

  /** The string of these bytes from one index up to another. */
  public static String of(byte[] bytes, int from, int to) {
    StringBuilder text = new StringBuilder(to - from);
    for (int i = from; i < to; ) {
      int size = sequence(bytes, i, to);
      if (size == 0) {
        text.append((char) (0xDC00 + (bytes[i++] & 0xff)));
      } else if (size == 1) {
        text.append((char) bytes[i++]);
      } else {
        text.append(new String(bytes, i, size, StandardCharsets.UTF_8));
        i += size;
      }
    }
    return text.toString();
  }

  /** The bytes from one index up to another, as Go's {@code s[from:to]}. */
  public static String slice(String text, int from, int to) {
    if (isAscii(text)) {
      return text.substring(from, to);
    }
    return of(bytes(text), from, to);
  }

  /** Joins again what was cut inside a character; needed after putting texts together. */
  public static String rejoin(String text) {
    return hasLoneSurrogate(text) ? of(bytes(text)) : text;
  }

  /** Whether every byte is part of valid UTF-8. */
  public static boolean isValid(String text) {
    return !hasLoneSurrogate(text);
  }

  /** Compares by bytes. */
  public static int compare(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        return x < 0xD800 && y < 0xD800
            ? x - y
            : java.util.Arrays.compareUnsigned(bytes(a), bytes(b));
      }
    }
    return a.length() - b.length();
  }

  /** Whether the unit at this index stands for one byte that is not UTF-8. */
  public static boolean isByte(String text, int index) {
    char c = text.charAt(index);
    return c >= 0xDC80
        && c <= 0xDCFF
        && (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
  }

  static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  private static boolean pairAt(String text, int index) {
    return index + 1 < text.length() && Character.isLowSurrogate(text.charAt(index + 1));
  }

  private static boolean hasLoneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c) && pairAt(text, i)) {
        i++;
      } else if (Character.isSurrogate(c)) {
        return true;
      }
    }
    return false;
  }

  /** Length of the valid UTF-8 sequence that starts here; 0 if there is none. */
  private static int sequence(byte[] bytes, int at, int end) {
    int lead = bytes[at] & 0xff;
    int size = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (size < 2) {
      return size;
    }
    if (lead > 0xF4 || at + size > end) {
      return 0;
    }
    int second = bytes[at + 1] & 0xff;
    int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (second < low || second > high) {
      return 0;
    }
    for (int i = 2; i < size; i++) {
      if ((bytes[at + i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    return size;
  }
}
