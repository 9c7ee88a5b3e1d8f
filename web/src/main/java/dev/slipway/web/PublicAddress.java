package dev.slipway.web;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The address under which browsers reach this server. It is configured, because forwarding headers,
 * which would name the proxy's address, can be forged; without configuration it is the address of
 * the request.
 */
public final class PublicAddress {
  private final Supplier<Optional<URI>> configured;

  public PublicAddress(Supplier<Optional<URI>> configured) {
    this.configured = configured;
  }

  /** Whether responses are encrypted on their way to the browser. */
  boolean encrypted() {
    return configured.get().filter(url -> url.getScheme().equals("https")).isPresent();
  }

  /** Whether a page of that origin belongs to this server, in a request for that host. */
  boolean isOwn(String origin, String host) {
    Optional<URI> page = parsed(origin);
    return page.isPresent()
        && (page.get().getAuthority().equalsIgnoreCase(host)
            || configured.get().filter(url -> plain(url).equals(plain(page.get()))).isPresent());
  }

  /** Browsers send "null" for pages without an origin; other clients may send anything. */
  private static Optional<URI> parsed(String origin) {
    try {
      return Optional.of(new URI(origin))
          .filter(uri -> uri.getScheme() != null && uri.getAuthority() != null);
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  /** Scheme, host and port without the scheme's default port, which browsers omit. */
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
