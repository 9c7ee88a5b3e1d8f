package dev.slipway.web;

import dev.slipway.engine.resolve.AddressRange;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client address of a request. Any client can send forwarding headers, so they are read only
 * from proxies that the configuration trusts, from right to left: each entry was added by the proxy
 * to its right. The first address that is no trusted proxy is the client's.
 */
public final class ClientAddress {
  private static final Logger LOG = LoggerFactory.getLogger(ClientAddress.class);
  private static final Pattern HOP =
      Pattern.compile("\\[([0-9A-Fa-f:.]{2,45})](?::[0-9]{1,5})?|([0-9.]{7,15}):[0-9]{1,5}");
  private static final Pattern FORWARDED_FOR =
      Pattern.compile("(?i)(?:^|;)\\s*for\\s*=\\s*\"?([^\";]+)\"?");

  /** IPv6 customers get at least a /64, so all addresses of one network count as one client. */
  private static final int NETWORK_BYTES_IPV6 = 8;

  private final Supplier<List<AddressRange>> trusted;
  private final AtomicBoolean warned = new AtomicBoolean();

  public ClientAddress(Supplier<List<AddressRange>> trusted) {
    this.trusted = trusted;
  }

  /**
   * The forwarding headers, all lines of each in order: a proxy may append a line to one that the
   * client has sent.
   */
  record Headers(List<String> forwardedFor, List<String> forwarded) {
    private boolean isEmpty() {
      return forwardedFor.isEmpty() && forwarded.isEmpty();
    }

    /** The address chains of the headers, one for each kind of header that is present. */
    private List<List<String>> chains() {
      return Stream.of(
              hops(forwardedFor, hop -> hop),
              hops(
                  forwarded,
                  hop -> {
                    Matcher matcher = FORWARDED_FOR.matcher(hop);
                    return matcher.find() ? matcher.group(1).strip() : "unknown";
                  }))
          .filter(chain -> !chain.isEmpty())
          .toList();
    }

    private static List<String> hops(List<String> lines, UnaryOperator<String> address) {
      return lines.stream()
          .flatMap(line -> Arrays.stream(line.split(",")))
          .map(String::strip)
          .map(address)
          .toList();
    }
  }

  /** The client of a request that arrived from that peer. */
  String of(String peer, Headers headers) {
    Optional<InetAddress> sender = parsed(peer);
    if (sender.isEmpty() || headers.isEmpty()) {
      return sender.map(ClientAddress::text).orElse(peer);
    }
    List<AddressRange> ranges = trusted.get();
    if (!isTrusted(ranges, sender.get())) {
      warnOnce(peer);
      return text(sender.get());
    }
    List<InetAddress> clients =
        headers.chains().stream()
            .map(chain -> client(ranges, sender.get(), chain))
            .distinct()
            .toList();
    // A proxy writes one kind of header and may forward the other as the client sent it.
    return text(clients.size() == 1 ? clients.getFirst() : sender.get());
  }

  private static InetAddress client(
      List<AddressRange> ranges, InetAddress peer, List<String> hops) {
    InetAddress nearest = peer;
    for (String hop : hops.reversed()) {
      Optional<InetAddress> address = parsed(hop);
      if (address.isEmpty()) {
        return nearest; // obfuscated or malformed: the proxy that wrote it counts as the client
      }
      nearest = address.get();
      if (!isTrusted(ranges, nearest)) {
        return nearest;
      }
    }
    return nearest;
  }

  private void warnOnce(String peer) {
    if (warned.compareAndSet(false, true)) {
      LOG.warn(
          "{} sends X-Forwarded-For or Forwarded and is not in server.trustedProxies: what it names"
              + " is ignored, and all clients behind it count as one address for login limits."
              + " If it is your proxy, add its address there.",
          peer);
    }
  }

  private static boolean isTrusted(List<AddressRange> ranges, InetAddress address) {
    return ranges.stream().anyMatch(range -> range.contains(address));
  }

  /** The address without the port and brackets that proxies add. */
  private static Optional<InetAddress> parsed(String text) {
    Matcher matcher = HOP.matcher(text);
    return matcher.matches()
        ? AddressRange.literal(matcher.group(1) != null ? matcher.group(1) : matcher.group(2))
        : AddressRange.literal(text);
  }

  private static String text(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length <= 4 || address.isLoopbackAddress()) {
      return address.getHostAddress();
    }
    Arrays.fill(bytes, NETWORK_BYTES_IPV6, bytes.length, (byte) 0);
    try {
      return InetAddress.getByAddress(bytes).getHostAddress() + "/64";
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
