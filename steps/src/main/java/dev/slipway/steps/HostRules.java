package dev.slipway.steps;

import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.resolve.Grants;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which hosts a step may call: those granted to its provider, and never link-local or wildcard
 * addresses, where machines keep their credentials. A name is judged by every address it has;
 * should it change before the connection is made, {@link GuardedNames} keeps it from leading there.
 */
public final class HostRules {
  /** Addresses of metadata services that look like any other address. */
  private static final Set<String> METADATA =
      Set.of("fd00:ec2:0:0:0:0:0:254", "100.100.100.200", "168.63.129.16", "192.0.0.192");

  /** An IPv6 address that begins so stands for the IPv4 address that comes next. */
  private static final List<String> CARRIERS =
      List.of("0064ff9b0000000000000000", "000000000000000000000000", "2002");

  /** Why the call may not be made; null when it may. */
  @Nullable StepError refusal(URI uri, Grants grants) {
    String host = uri.getHost();
    if (!grants.host(host)) {
      return StepError.permanent(
          "host-not-granted",
          "the provider may not call " + host,
          "Add the host to the provider's grants.hosts in the configuration.");
    }
    try {
      for (InetAddress address : GuardedNames.all(host)) {
        if (forbidden(address)) {
          return StepError.permanent(
              "address-blocked",
              host + " is a link-local or metadata address, which no step may call",
              "Its address is "
                  + address.getHostAddress()
                  + ". If that is wrong, mend the name's entry in the DNS.");
        }
      }
      return null;
    } catch (UnknownHostException e) {
      return StepError.passing("unknown-host", "no address for " + host, "Check the host's name.");
    }
  }

  /** Whether no step may call it, as it is or as what it stands for. */
  static boolean forbidden(InetAddress address) {
    return blocked(address) || blocked(carried(address));
  }

  private static boolean blocked(InetAddress address) {
    return address.isLinkLocalAddress()
        || address.isAnyLocalAddress()
        || METADATA.contains(address.getHostAddress().replaceFirst("%.*", ""));
  }

  /** The IPv4 address inside an IPv6 address, or the address itself. */
  private static InetAddress carried(InetAddress address) {
    byte[] bytes = address.getAddress();
    String hex = HexFormat.of().formatHex(bytes);
    for (String carrier : CARRIERS) {
      if (bytes.length == 16 && hex.startsWith(carrier) && !address.isLoopbackAddress()) {
        int at = carrier.length() / 2;
        return address(Arrays.copyOfRange(bytes, at, at + 4));
      }
    }
    return address;
  }

  private static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }
}
