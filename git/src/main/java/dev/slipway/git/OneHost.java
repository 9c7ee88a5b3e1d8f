package dev.slipway.git;

import java.io.IOException;
import java.net.Proxy;
import java.net.URL;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.eclipse.jgit.transport.http.HttpConnectionFactory;

/**
 * Connections to one server. A redirect may lead to another path of it, never to another host,
 * which would receive the credentials, or be a host that only this machine can reach.
 */
record OneHost(URIish home, HttpConnectionFactory plain) implements HttpConnectionFactory {
  /** A redirect to another host. */
  static final class ElsewhereException extends IOException {
    private static final long serialVersionUID = 1L;

    ElsewhereException(String host) {
      super("redirected to " + host);
    }
  }

  @Override
  public HttpConnection create(URL url) throws IOException {
    check(url);
    return plain.create(url);
  }

  @Override
  public HttpConnection create(URL url, Proxy proxy) throws IOException {
    check(url);
    return plain.create(url, proxy);
  }

  private void check(URL url) throws ElsewhereException {
    int port = home.getPort() > 0 ? home.getPort() : standardPort(home.getScheme());
    int asked = url.getPort() > 0 ? url.getPort() : url.getDefaultPort();
    boolean upgraded =
        home.getScheme().equalsIgnoreCase("http")
            && url.getProtocol().equals("https")
            && home.getPort() <= 0
            && asked == standardPort("https");
    boolean same = home.getScheme().equalsIgnoreCase(url.getProtocol()) && port == asked;
    if (!home.getHost().equalsIgnoreCase(url.getHost()) || !same && !upgraded) {
      throw new ElsewhereException(url.getProtocol() + "://" + url.getAuthority());
    }
  }

  private static int standardPort(String scheme) {
    return scheme.equalsIgnoreCase("https") ? 443 : 80;
  }
}
