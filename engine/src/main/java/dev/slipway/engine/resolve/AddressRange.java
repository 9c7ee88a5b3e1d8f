package dev.slipway.engine.resolve;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The addresses that share their first bits with one: {@code 10.0.0.0/8}, or a single address. */
public record AddressRange(InetAddress base, int bits) {
  static final Pattern FORM = Pattern.compile("([0-9A-Fa-f.:]{2,45})(?:/([0-9]{1,3}))?");

  private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

  /** The range that the text names; empty when it names none. */
  public static Optional<AddressRange> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return literal(matcher.group(1))
        .flatMap(
            base -> {
              int most = base.getAddress().length * 8;
              int bits = matcher.group(2) == null ? most : Integer.parseInt(matcher.group(2));
              return bits <= most ? Optional.of(new AddressRange(base, bits)) : Optional.empty();
            });
  }

  /** The address that the text is. A name is none: looking it up would ask another server. */
  public static Optional<InetAddress> literal(String text) {
    if (!IPV4.matcher(text).matches() && !text.contains(":")) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByName(text));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  /** Whether the address is one of these. */
  public boolean contains(InetAddress address) {
    byte[] own = base.getAddress();
    byte[] other = address.getAddress();
    if (own.length != other.length) {
      return false;
    }
    for (int i = 0; i < bits; i++) {
      int mask = 0x80 >> (i % 8);
      if ((own[i / 8] & mask) != (other[i / 8] & mask)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return base.getHostAddress() + "/" + bits;
  }
}
