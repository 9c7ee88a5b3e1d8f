package dev.slipway.steps.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An admission webhook that denies what it is asked with a code and a message of the test. */
final class DenyingWebhook implements AutoCloseable {
  private final HttpsServer server;
  private final String authority;
  private volatile Map<String, Object> verdict = Map.of("allowed", true);

  DenyingWebhook(Path directory) throws Exception {
    Path keys = directory.resolve("keys");
    Path certificate = directory.resolve("certificate");
    keytool(
        keys, "-genkeypair", "-keyalg", "EC", "-dname", "CN=webhook", "-ext", "san=ip:127.0.0.1");
    keytool(keys, "-exportcert", "-rfc", "-file", certificate.toString());
    authority =
        Base64.getEncoder()
            .encodeToString(Files.readString(certificate).getBytes(StandardCharsets.UTF_8));
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(
        KeyStore.getInstance(keys.toFile(), "secret".toCharArray()), "secret".toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext("/", this::serve);
    server.start();
  }

  private static void keytool(Path keys, String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/keytool"));
    command.addAll(List.of(arguments));
    command.addAll(List.of("-alias", "a", "-storepass", "secret", "-keystore", keys.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(said);
    }
  }

  String url() {
    return "https://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** Its certificate as {@code caBundle} has it. */
  String authority() {
    return authority;
  }

  void deny(int code, String message) {
    verdict = Map.of("allowed", false, "status", Map.of("code", code, "message", message));
  }

  void allow() {
    verdict = Map.of("allowed", true);
  }

  private void serve(HttpExchange exchange) throws IOException {
    String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    Map<String, Object> review = Json.readMap(asked);
    Map<String, Object> response = new LinkedHashMap<>(verdict);
    response.put("uid", Values.map(review.get("request")).get("uid"));
    byte[] answer =
        Json.write(
                Map.of(
                    "apiVersion",
                    "admission.k8s.io/v1",
                    "kind",
                    "AdmissionReview",
                    "response",
                    response))
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, answer.length);
    try (exchange) {
      exchange.getResponseBody().write(answer);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
