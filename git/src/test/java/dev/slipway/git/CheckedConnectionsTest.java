package dev.slipway.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import org.eclipse.jgit.transport.http.HttpConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names in these tests cannot be resolved: a connection by name would fail. */
class CheckedConnectionsTest {
  private static final InetSocketAddress FREE =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir Path directory;
  private final List<String> hosts = new ArrayList<>();

  private int status(String url, String... addresses) throws IOException {
    List<InetAddress> checked = new ArrayList<>();
    for (String address : addresses) {
      checked.add(InetAddress.ofLiteral(address));
    }
    CheckedConnections connections = new CheckedConnections(new CheckedAddresses(checked));
    URL asked = URI.create(url).toURL();
    HttpConnection connection = connections.create(asked, Proxy.NO_PROXY);
    return connection.getResponseCode();
  }

  private <S extends HttpServer> S serving(S server) {
    server.createContext(
        "/",
        exchange -> {
          hosts.add(exchange.getRequestHeaders().getFirst("Host"));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  @Test
  void http_goes_to_the_checked_address_and_the_server_reads_the_name() throws IOException {
    HttpServer server = serving(HttpServer.create(FREE, 0));
    try {
      String host = "code.invalid:" + server.getAddress().getPort();
      assertThat(status("http://" + host + "/a", "127.0.0.1")).isEqualTo(204);
      assertThat(status("http://" + host + "/a", "127.9.9.9", "127.0.0.1")).isEqualTo(204);
      assertThat(hosts).containsExactly(host, host);
      assertThatThrownBy(() -> status("http://" + host + "/a", "127.9.9.9"))
          .isInstanceOf(IOException.class);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void https_goes_to_the_checked_address_and_the_certificate_proves_the_name() throws Exception {
    SSLContext context = context();
    HttpsServer server = HttpsServer.create(FREE, 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    serving(server);
    SSLSocketFactory usual = HttpsURLConnection.getDefaultSSLSocketFactory();
    HttpsURLConnection.setDefaultSSLSocketFactory(context.getSocketFactory());
    try {
      int port = server.getAddress().getPort();
      assertThat(status("https://code.invalid:" + port + "/a", "127.0.0.1")).isEqualTo(204);
      assertThat(hosts).containsExactly("code.invalid:" + port);
      assertThatThrownBy(() -> status("https://other.invalid:" + port + "/a", "127.0.0.1"))
          .isInstanceOf(SSLException.class);
      assertThatThrownBy(() -> status("https://code.invalid:" + port + "/a", "127.9.9.9"))
          .isInstanceOf(IOException.class);
      assertThat(hosts).hasSize(1);
    } finally {
      HttpsURLConnection.setDefaultSSLSocketFactory(usual);
      server.stop(0);
    }
  }

  /** With a certificate for code.invalid that it trusts itself. */
  private SSLContext context() throws Exception {
    Path keys = directory.resolve("keys");
    String made =
        "-genkeypair -keyalg EC -alias a -dname CN=code -ext san=dns:code.invalid -storepass secret"
            + " -keystore "
            + keys;
    List<String> command =
        new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/keytool"));
    command.addAll(List.of(made.split(" ")));
    assertThat(
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor())
        .isZero();
    KeyStore store = KeyStore.getInstance(keys.toFile(), "secret".toCharArray());
    store.setCertificateEntry("trusted", store.getCertificate("a"));
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(store, "secret".toCharArray());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }
}
