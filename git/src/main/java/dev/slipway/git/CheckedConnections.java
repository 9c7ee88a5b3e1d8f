package dev.slipway.git;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import javax.net.ssl.HttpsURLConnection;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.eclipse.jgit.transport.http.HttpConnectionFactory;
import org.eclipse.jgit.transport.http.JDKHttpConnectionFactory;

/**
 * HTTP connections to checked addresses. The request still carries the host's name, and the
 * certificate is compared with that name. Proxies of the machine are not used: a proxy would look
 * the name up again.
 */
final class CheckedConnections implements HttpConnectionFactory {
  private final CheckedAddresses addresses;
  private final HttpConnectionFactory plain = new JDKHttpConnectionFactory();

  CheckedConnections(CheckedAddresses addresses) {
    this.addresses = addresses;
  }

  @Override
  public HttpConnection create(URL url) throws IOException {
    return plain.create(URL.of(uri(url), new Opener()));
  }

  @Override
  public HttpConnection create(URL url, Proxy proxy) throws IOException {
    return create(url);
  }

  private static URI uri(URL url) throws MalformedURLException {
    try {
      return URI.create(url.toExternalForm());
    } catch (IllegalArgumentException e) {
      throw new MalformedURLException(e.getMessage());
    }
  }

  /** Opens a connection of the JDK by name, and directs it to an address. */
  private final class Opener extends URLStreamHandler {
    @Override
    protected URLConnection openConnection(URL url) throws IOException {
      URL named = URL.of(uri(url), null);
      int port = url.getPort() < 0 ? named.getDefaultPort() : url.getPort();
      InetSocketAddress place = new InetSocketAddress(addresses.reachable(port), port);
      if (url.getProtocol().equals("https")) {
        HttpsURLConnection connection = (HttpsURLConnection) named.openConnection(Proxy.NO_PROXY);
        connection.setSSLSocketFactory(new CheckedSockets(connection.getSSLSocketFactory(), place));
        return connection;
      }
      // The request line then contains the host too, which every server has to accept.
      return named.openConnection(new Proxy(Proxy.Type.HTTP, place));
    }

    @Override
    protected URLConnection openConnection(URL url, Proxy proxy) throws IOException {
      return openConnection(url);
    }
  }
}
