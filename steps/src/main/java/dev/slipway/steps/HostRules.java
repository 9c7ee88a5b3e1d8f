package dev.slipway.steps;

import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.resolve.Grants;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;

/**
 * Which hosts a step may call: those granted to its provider. A name is judged by every address it
 * has. Loopback and private addresses must be granted themselves, so that neither a wildcard nor a
 * name that resolves to them reaches them; link-local addresses and those of metadata services,
 * which hand out credentials, are never called.
 */
public final class HostRules {
  /** Addresses of metadata services outside of the link-local range. */
  private static final Set<String> METADATA =
      Set.of("fd00:ec2:0:0:0:0:0:254", "100.100.100.200", "168.63.129.16", "192.0.0.192");

  /** Whether a host may be called. */
  sealed interface Verdict {
    /** Allowed at these addresses only: they were checked, and a later lookup may answer others. */
    record Allowed(List<InetAddress> addresses) implements Verdict {}

    record Refused(StepError error) implements Verdict {}
  }

  Verdict judge(URI uri, Grants grants) {
    String host = uri.getHost();
    if (!grants.host(host)) {
      return refused(
          "host-not-granted",
          "the provider may not call " + host,
          "Add the host to the provider's grants.hosts in the configuration.");
    }
    try {
      List<InetAddress> addresses = GuardedNames.all(host);
      for (InetAddress address : addresses) {
        if (forbidden(address)) {
          return blocked(host, address);
        }
        if (!InternetAddress.is(address) && !grants.address(address)) {
          return refused(
              "private-address",
              host + " has the private address " + address.getHostAddress(),
              "A name or wildcard grants no private address: add the address, or a network such as"
                  + " 10.1.0.0/16, to the provider's grants.hosts too.");
        }
      }
      return new Verdict.Allowed(addresses);
    } catch (UnknownHostException e) {
      return unknown(host);
    }
  }

  /** A host that the server's own configuration names needs no grant. */
  Verdict judgeConfigured(String host) {
    try {
      List<InetAddress> addresses = GuardedNames.all(host);
      for (InetAddress address : addresses) {
        if (forbidden(address)) {
          return blocked(host, address);
        }
      }
      return new Verdict.Allowed(addresses);
    } catch (UnknownHostException e) {
      return unknown(host);
    }
  }

  private static Verdict refused(String code, String message, String hint) {
    return new Verdict.Refused(StepError.permanent(code, message, hint));
  }

  private static Verdict unknown(String host) {
    return new Verdict.Refused(
        StepError.passing("unknown-host", "no address for " + host, "Check the host's name."));
  }

  private static Verdict blocked(String host, InetAddress address) {
    return refused(
        "address-blocked",
        host + " is a link-local or metadata address, which no step may call",
        "Its address is "
            + address.getHostAddress()
            + ". If that is wrong, mend the name's entry in the DNS.");
  }

  /** Whether no step may call it, as it is or as the IPv4 address embedded in it. */
  static boolean forbidden(InetAddress address) {
    byte[] bytes = address.getAddress();
    return never(address) || !address.isLoopbackAddress() && never(carried(bytes));
  }

  private static boolean never(InetAddress address) {
    return address.isLinkLocalAddress()
        || address.isAnyLocalAddress()
        || METADATA.contains(address.getHostAddress().replaceFirst("%.*", ""));
  }

  private static InetAddress carried(byte[] bytes) {
    try {
      return InetAddress.getByAddress(InternetAddress.carried(bytes));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four or sixteen bytes are an address", e);
    }
  }
}
