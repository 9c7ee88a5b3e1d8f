package dev.slipway.testbed.node;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** The address of a node at which the API server asks for logs of containers, on loopback. */
final class NodeEndpoint implements AutoCloseable {
  private static final String LOGS = "/containerLogs/";
  private static final char[] PASSWORD = "not a secret".toCharArray();

  private final HttpsServer server;
  private final Pods pods;

  /** Finds a pod of the node. */
  interface Pods {
    Optional<PodProcess> find(String namespace, String name);
  }

  /** {@code identities} has the certificate for loopback that the API server itself uses. */
  NodeEndpoint(Path identities, Pods pods) throws IOException {
    this.pods = pods;
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.setHttpsConfigurator(new HttpsConfigurator(tls(identities)));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(LOGS, this::logs);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** {@code /containerLogs/NAMESPACE/POD/CONTAINER?follow=true}. */
  private void logs(HttpExchange exchange) throws IOException {
    try (exchange) {
      String[] path = exchange.getRequestURI().getPath().substring(LOGS.length()).split("/");
      Optional<PodProcess> pod = pods.find(path[0], path[1]);
      if (pod.isEmpty()) {
        refuse(exchange, 404, "pod \"%s\" not found\n".formatted(path[1]));
      } else if (!pod.get().started()) {
        refuse(
            exchange,
            400,
            "container \"%s\" in pod \"%s\" is waiting to start: ContainerCreating\n"
                .formatted(path[2], path[1]));
      } else {
        String query = Objects.toString(exchange.getRequestURI().getQuery(), "");
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
          pod.get().copyLog(out, query.contains("follow=true"));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void refuse(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  private static SSLContext tls(Path identities) throws IOException {
    try {
      Certificate certificate;
      try (var in = Files.newInputStream(identities.resolve("apiserver.crt"))) {
        certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
      }
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      store.setKeyEntry(
          "node",
          key(Files.readString(identities.resolve("apiserver.key"))),
          PASSWORD,
          new Certificate[] {certificate});
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("the certificate of the node cannot be used", e);
    }
  }

  private static PrivateKey key(String pem) throws GeneralSecurityException {
    String content = pem.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
    return KeyFactory.getInstance("EC")
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(content)));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
