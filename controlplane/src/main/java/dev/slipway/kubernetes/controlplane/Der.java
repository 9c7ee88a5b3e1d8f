package dev.slipway.kubernetes.controlplane;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Values in the encoding of X.509 certificates: a tag, a length, the content. */
final class Der {
  private static final DateTimeFormatter SHORT = format("yyMMddHHmmss'Z'");
  private static final DateTimeFormatter LONG = format("yyyyMMddHHmmss'Z'");

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return tagged(0x30, join(parts));
  }

  static byte[] set(byte[]... parts) {
    return tagged(0x31, join(parts));
  }

  static byte[] integer(BigInteger value) {
    return tagged(0x02, value.toByteArray());
  }

  static byte[] truth() {
    return tagged(0x01, new byte[] {(byte) 0xFF});
  }

  static byte[] bits(int unused, byte[] content) {
    return tagged(0x03, join(new byte[] {(byte) unused}, content));
  }

  static byte[] octets(byte[] content) {
    return tagged(0x04, content);
  }

  static byte[] text(String value) {
    return tagged(0x0C, value.getBytes(StandardCharsets.UTF_8));
  }

  /** Years before 2050 have two digits. */
  static byte[] time(Instant at) {
    boolean two = at.atZone(ZoneOffset.UTC).getYear() < 2050;
    String text = (two ? SHORT : LONG).format(at);
    return tagged(two ? 0x17 : 0x18, text.getBytes(StandardCharsets.US_ASCII));
  }

  /** An object identifier such as 2.5.29.15. */
  static byte[] identifier(String dotted) {
    String[] arcs = dotted.split("\\.");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(Integer.parseInt(arcs[0]) * 40 + Integer.parseInt(arcs[1]));
    for (int i = 2; i < arcs.length; i++) {
      long arc = Long.parseLong(arcs[i]);
      for (int shift = 63; shift > 0; shift -= 7) {
        if (arc >>> shift != 0) {
          out.write((int) (arc >>> shift & 0x7F | 0x80));
        }
      }
      out.write((int) (arc & 0x7F));
    }
    return tagged(0x06, out.toByteArray());
  }

  private static DateTimeFormatter format(String pattern) {
    return DateTimeFormatter.ofPattern(pattern).withZone(ZoneOffset.UTC);
  }

  static byte[] tagged(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    int length = content.length;
    if (length < 0x80) {
      out.write(length);
    } else {
      byte[] bytes = BigInteger.valueOf(length).toByteArray();
      int skip = bytes[0] == 0 ? 1 : 0;
      out.write(0x80 | bytes.length - skip);
      out.write(bytes, skip, bytes.length - skip);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
