package dev.slipway.steps;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Tells addresses of the public internet from those of this machine and its networks: loopback,
 * private, shared (CGNAT), unique local, multicast, reserved, and IPv6 addresses that carry one.
 */
final class InternetAddress {
  /** Networks in bits, IPv4: 10/8, 172.16/12, 192.168/16, 100.64/10, and what is reserved. */
  private static final List<String> RESERVED_4 =
      List.of(
          bits("00"), // 0.0.0.0/8
          bits("0a"), // 10.0.0.0/8
          bits("7f"), // 127.0.0.0/8
          bits("64") + "01", // 100.64.0.0/10
          bits("a9fe"), // 169.254.0.0/16
          bits("ac") + "0001", // 172.16.0.0/12
          bits("c00000"), // 192.0.0.0/24
          bits("c0a8"), // 192.168.0.0/16
          bits("c6") + "0001001", // 198.18.0.0/15
          "1110", // 224.0.0.0/4
          "1111"); // 240.0.0.0/4

  /** All but the global unicast range, and Teredo within it. */
  private static final List<String> RESERVED_6 = List.of(bits("20010000"));

  private static final String GLOBAL_UNICAST_6 = "001";

  /** An IPv6 address that begins so carries the IPv4 address that comes next. */
  private static final List<String> CARRIERS =
      List.of("0064ff9b0000000000000000", "000000000000000000000000", "2002");

  private InternetAddress() {}

  static boolean is(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length == 4) {
      return within(RESERVED_4, bytes).isEmpty();
    }
    byte[] carried = carried(bytes);
    if (carried.length == 4) {
      return within(RESERVED_4, carried).isEmpty();
    }
    String all = bits(HexFormat.of().formatHex(bytes));
    return all.startsWith(GLOBAL_UNICAST_6) && within(RESERVED_6, bytes).isEmpty();
  }

  /** The IPv4 address inside an IPv6 address, or the bytes themselves. */
  static byte[] carried(byte[] bytes) {
    String hex = HexFormat.of().formatHex(bytes);
    for (String carrier : CARRIERS) {
      if (bytes.length == 16 && hex.startsWith(carrier)) {
        int at = carrier.length() / 2;
        return Arrays.copyOfRange(bytes, at, at + 4);
      }
    }
    return bytes;
  }

  private static List<String> within(List<String> networks, byte[] address) {
    String all = bits(HexFormat.of().formatHex(address));
    return networks.stream().filter(all::startsWith).toList();
  }

  private static String bits(String hex) {
    StringBuilder bits = new StringBuilder();
    for (char digit : hex.toCharArray()) {
      String four = Integer.toBinaryString(16 + Character.digit(digit, 16));
      bits.append(four, 1, 5);
    }
    return bits.toString();
  }
}
