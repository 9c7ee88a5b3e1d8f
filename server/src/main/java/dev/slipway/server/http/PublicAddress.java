package dev.slipway.server.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
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
    Optional<URI> page = parsed(origin);
    return page.isPresent()
        && (page.get().getAuthority().equalsIgnoreCase(host)
            || configured.get().filter(url -> plain(url).equals(plain(page.get()))).isPresent());
  }

  /** Browsers send "null" for pages of no site; others send anything. */
  private static Optional<URI> parsed(String origin) {
    try {
      return Optional.of(new URI(origin))
          .filter(uri -> uri.getScheme() != null && uri.getAuthority() != null);
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  /** Scheme, host and port, without a port that the scheme has anyway: browsers leave it out. */
  private static String plain(URI uri) {
    String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
    String authority = uri.getAuthority().toLowerCase(Locale.ROOT);
    String usual = scheme.equals("https") ? ":443" : ":80";
    return scheme
        + "://"
        + (authority.endsWith(usual)
            ? authority.substring(0, authority.length() - usual.length())
            : authority);
  }
}
