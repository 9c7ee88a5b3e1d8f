package dev.slipway.engine.resolve;

import java.util.List;

/** What the configuration lets a provider's steps use. A host may begin with {@code *.}. */
public record Grants(List<String> secrets, List<String> clusters, List<String> hosts) {
  /** Nothing. */
  public static final Grants NONE = new Grants(List.of(), List.of(), List.of());

  public Grants {
    secrets = List.copyOf(secrets);
    clusters = List.copyOf(clusters);
    hosts = List.copyOf(hosts);
  }

  /** Whether a step may talk to that host. */
  public boolean host(String name) {
    return hosts.stream()
        .anyMatch(
            granted ->
                granted.equals("*")
                    || granted.equalsIgnoreCase(name)
                    || granted.startsWith("*.")
                        && name.toLowerCase(java.util.Locale.ROOT)
                            .endsWith(granted.substring(1).toLowerCase(java.util.Locale.ROOT)));
  }
}
