package dev.slipway.engine.resolve;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An address or network that a grant names literally: {@code 10.1.2.3} or {@code 10.1.0.0/16}. */
record GrantedAddress(List<Byte> network, int bits) {
  /** What the grant of {@code localhost} stands for. */
  private static final List<String> LOCALHOST = List.of("127.0.0.1", "::1");

  /** Whether the grant names this address, alone or within a network. */
  static boolean names(String grant, InetAddress address) {
    List<String> literals = grant.equalsIgnoreCase("localhost") ? LOCALHOST : List.of(grant);
    return literals.stream()
        .flatMap(literal -> of(literal).stream())
        .anyMatch(granted -> granted.contains(address));
  }

  private static Optional<GrantedAddress> of(String written) {
    int slash = written.indexOf('/');
    Optional<InetAddress> address = literal(slash < 0 ? written : written.substring(0, slash));
    return address.flatMap(
        found -> {
          int all = found.getAddress().length * 8;
          String length = slash < 0 ? String.valueOf(all) : written.substring(slash + 1);
          return length.matches("\\d{1,3}") && Integer.parseInt(length) <= all
              ? Optional.of(new GrantedAddress(bytes(found), Integer.parseInt(length)))
              : Optional.empty();
        });
  }

  /**
   * The address that a text writes, with or without the brackets of a URL; no name is looked up.
   */
  static Optional<InetAddress> literal(String text) {
    try {
      return Optional.of(InetAddress.ofLiteral(text.replaceAll("^\\[|]$", "")));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static List<Byte> bytes(InetAddress address) {
    List<Byte> bytes = new ArrayList<>();
    for (byte each : address.getAddress()) {
      bytes.add(each);
    }
    return bytes;
  }

  private boolean contains(InetAddress address) {
    List<Byte> bytes = bytes(address);
    boolean same = bytes.size() == network.size();
    for (int bit = 0; same && bit < bits; bit++) {
      int mask = 0x80 >> bit % 8;
      same = (bytes.get(bit / 8) & mask) == (network.get(bit / 8) & mask);
    }
    return same;
  }
}
