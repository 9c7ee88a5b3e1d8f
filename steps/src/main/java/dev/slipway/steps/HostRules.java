package dev.slipway.steps;

import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.resolve.Grants;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Which hosts a step may call: those granted to its provider, and never link-local or wildcard
 * addresses, where machines keep their credentials.
 */
public final class HostRules {
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
      for (InetAddress address : InetAddress.getAllByName(host)) {
        if (address.isLinkLocalAddress() || address.isAnyLocalAddress() || metadata(address)) {
          return StepError.permanent(
              "address-blocked",
              host + " is a link-local or metadata address, which no step may call",
              null);
        }
      }
      return null;
    } catch (UnknownHostException e) {
      return StepError.passing("unknown-host", "no address for " + host, "Check the host's name.");
    }
  }

  /** The IPv6 address of cloud metadata services; the IPv4 one is link-local. */
  private static boolean metadata(InetAddress address) {
    return address.getHostAddress().startsWith("fd00:ec2:0:0:0:0:0:254");
  }
}
