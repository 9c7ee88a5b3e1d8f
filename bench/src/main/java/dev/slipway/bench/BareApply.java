package dev.slipway.bench;

import dev.slipway.engine.value.Json;
import dev.slipway.kubernetes.controlplane.Kubeconfig;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Server-side applies by the HTTP/2 client of the JDK and nothing else. */
final class BareApply implements AutoCloseable {
  private final HttpClient http;
  private final Kubeconfig kubeconfig;

  BareApply(Kubeconfig kubeconfig) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry(
        "ca",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(kubeconfig.authority().getBytes(StandardCharsets.UTF_8))));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    this.http =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).sslContext(context).build();
    this.kubeconfig = kubeconfig;
  }

  /** Sends one and reads the answer as bytes. */
  void apply(String path, Map<String, Object> content) throws Exception {
    patch(
        path + "?fieldManager=bare&fieldValidation=Strict&force=false",
        "application/apply-patch+yaml",
        Json.write(content));
  }

  /** Changes some fields as another client would. */
  void merge(String path, String patch) throws Exception {
    patch(path + "?fieldManager=bare", "application/merge-patch+json", patch);
  }

  private void patch(String target, String type, String body) throws Exception {
    HttpResponse<byte[]> reply =
        http.send(
            HttpRequest.newBuilder(URI.create(kubeconfig.server() + target))
                .header("Authorization", "Bearer " + kubeconfig.token())
                .header("Accept", "application/json")
                .header("Content-Type", type)
                .method("PATCH", BodyPublishers.ofByteArray(body.getBytes(StandardCharsets.UTF_8)))
                .build(),
            BodyHandlers.ofByteArray());
    if (reply.statusCode() / 100 != 2) {
      throw new IllegalStateException(new String(reply.body(), StandardCharsets.UTF_8));
    }
  }

  /** The answer as text. */
  String get(String path) throws Exception {
    return http.send(
            HttpRequest.newBuilder(URI.create(kubeconfig.server() + path))
                .header("Authorization", "Bearer " + kubeconfig.token())
                .build(),
            BodyHandlers.ofString())
        .body();
  }

  @Override
  public void close() {
    http.close();
  }
}
