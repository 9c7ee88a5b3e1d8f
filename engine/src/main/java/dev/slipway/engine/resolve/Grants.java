package dev.slipway.engine.resolve;

import java.net.InetAddress;
import java.util.List;
import java.util.Locale;

/**
 * What the configuration lets a provider's steps use. A host is a name, may begin with {@code *.},
 * or is an address or network. Private addresses are reached only if a grant names them literally.
 */
public record Grants(List<String> secrets, List<String> clusters, List<String> hosts) {
  /** Nothing. */
  public static final Grants NONE = new Grants(List.of(), List.of(), List.of());

  public Grants {
    secrets = List.copyOf(secrets);
    clusters = List.copyOf(clusters);
    hosts = List.copyOf(hosts);
  }

  /** Whether a step may talk to that host, written as in a URL. */
  public boolean host(String name) {
    return GrantedAddress.literal(name)
        .map(address -> hosts.contains("*") || address(address))
        .orElseGet(() -> hosts.stream().anyMatch(granted -> names(granted, name)));
  }

  /** Whether a grant names this address literally, alone or within a network. */
  public boolean address(InetAddress address) {
    return hosts.stream().anyMatch(granted -> GrantedAddress.names(granted, address));
  }

  private static boolean names(String granted, String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return granted.equals("*")
        || granted.equalsIgnoreCase(name)
        || granted.startsWith("*.")
            && lower.endsWith(granted.substring(1).toLowerCase(Locale.ROOT));
  }
}
