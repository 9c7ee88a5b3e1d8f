package dev.slipway.server.http;

import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where browsers reach this server: as configured, because a proxy before it knows that and we do
 * not; headers by which proxies tell could come from anybody. Else it is where the request came in.
 */
public final class PublicAddress {
  private final Supplier<Optional<URI>> configured;

  public PublicAddress(Supplier<Optional<URI>> configured) {
    this.configured = configured;
  }

  /** Whether what we send is encrypted before it reaches the browser. */
  boolean encrypted() {
    return configured.get().filter(url -> url.getScheme().equals("https")).isPresent();
  }

  /** Whether a page of that origin is one of ours, in a request for that host. */
  boolean isOwn(String origin, String host) {
    String authority = origin.equals("null") ? null : URI.create(origin).getAuthority();
    return authority != null
        && (authority.equalsIgnoreCase(host)
            || configured.get().filter(url -> same(url, origin)).isPresent());
  }

  private static boolean same(URI url, String origin) {
    return (url.getScheme() + "://" + url.getAuthority()).equalsIgnoreCase(origin);
  }
}
