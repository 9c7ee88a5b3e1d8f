package dev.slipway.cli;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The server's HTTP contract, as values. A problem becomes a {@link Failure} with its next step.
 */
final class Api implements AutoCloseable {
  private final ClientSettings settings;
  private final HttpClient client;

  Api(ClientSettings settings) {
    this.settings = settings;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5));
    if (settings.server().startsWith("http://")) {
      builder.sslContext(unused());
    }
    this.client = builder.build();
  }

  /**
   * The client needs a context even where it never uses it; the usual one reads all certificates.
   */
  private static SSLContext unused() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[0], new TrustManager[0], null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends the client's threads: a process that exits beside them waits for them for a while. */
  @Override
  public void close() {
    client.shutdownNow();
    try {
      client.awaitTermination(Duration.ofMillis(200));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A query: pairs with a null value are left out. */
  static Map<String, Object> query(@Nullable Object... pairs) {
    Map<String, Object> query = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i + 1] != null) {
        query.put((String) pairs[i], pairs[i + 1]);
      }
    }
    return query;
  }

  Map<String, Object> get(String path, Map<String, Object> query) throws InterruptedException {
    return map(send("GET", path, query, BodyPublishers.noBody(), null).body());
  }

  Map<String, Object> get(String path) throws InterruptedException {
    return get(path, Map.of());
  }

  /** The object there; empty when the server says that there is none. */
  Optional<Map<String, Object>> find(String path) throws InterruptedException {
    HttpResponse<String> response = exchange("GET", path, Map.of(), BodyPublishers.noBody(), null);
    if (response.statusCode() == 404) {
      return Optional.empty();
    }
    if (response.statusCode() / 100 != 2) {
      throw ApiProblem.failure(response.statusCode(), response.body(), settings);
    }
    return Optional.of(map(response.body()));
  }

  String text(String path, Map<String, Object> query) throws InterruptedException {
    return send("GET", path, query, BodyPublishers.noBody(), null).body();
  }

  Map<String, Object> post(String path, Map<String, Object> query, @Nullable Object body)
      throws InterruptedException {
    BodyPublisher publisher =
        body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Json.write(body));
    return map(send("POST", path, query, publisher, "application/json").body());
  }

  /** An answer as it is, also one that says no. */
  record Reply(int status, Map<String, Object> body) {
    boolean ok() {
      return status / 100 == 2;
    }
  }

  /** Sends JSON and takes whatever comes back. */
  Reply ask(String method, String path, Map<String, Object> query, @Nullable Object body)
      throws InterruptedException {
    BodyPublisher publisher =
        body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Json.write(body));
    HttpResponse<String> response =
        exchange(method, path, query, publisher, body == null ? null : "application/json");
    return new Reply(response.statusCode(), map(response.body()));
  }

  Map<String, Object> patch(String path, Object body) throws InterruptedException {
    return map(
        send("PATCH", path, Map.of(), BodyPublishers.ofString(Json.write(body)), "application/json")
            .body());
  }

  /** Sends a document; problems in it are reported with the name of its file. */
  Map<String, Object> postDocument(
      String path, Map<String, Object> query, byte[] document, String file)
      throws InterruptedException {
    try {
      return map(
          send("POST", path, query, BodyPublishers.ofByteArray(document), "application/yaml")
              .body());
    } catch (Failure failure) {
      throw new Failure(
          failure.exitCode(),
          String.valueOf(failure.getMessage()),
          failure.lines().stream().map(l -> l.replaceFirst("^score\\.yaml:", file + ":")).toList());
    }
  }

  Map<String, Object> delete(String path, Map<String, Object> query) throws InterruptedException {
    return map(send("DELETE", path, query, BodyPublishers.noBody(), null).body());
  }

  /** Every item of a list, page after page, at most {@code most}. */
  List<Map<String, Object>> list(String path, Map<String, Object> query, int most)
      throws InterruptedException {
    List<Map<String, Object>> all = new ArrayList<>();
    Map<String, Object> page = new LinkedHashMap<>(query);
    page.put("limit", Math.min(100, most));
    while (true) {
      Map<String, Object> reply = get(path, page);
      items(reply.get("data")).forEach(all::add);
      Object next = reply.get("continue");
      if (next == null || String.valueOf(next).isEmpty() || all.size() >= most) {
        return all.size() > most ? all.subList(0, most) : all;
      }
      page.put("continue", next);
    }
  }

  static List<Map<String, Object>> items(@Nullable Object value) {
    return value instanceof List<?> list ? list.stream().map(Values::map).toList() : List.of();
  }

  /** An open stream of the server's, to be read line by line. */
  InputStream stream(String path, Map<String, Object> query, Map<String, String> headers)
      throws InterruptedException {
    HttpRequest.Builder request = request(path, query);
    headers.forEach(request::header);
    try {
      HttpResponse<InputStream> response =
          client.send(request.GET().build(), BodyHandlers.ofInputStream());
      if (response.statusCode() / 100 != 2) {
        throw ApiProblem.failure(
            response.statusCode(),
            new String(response.body().readAllBytes(), StandardCharsets.UTF_8),
            settings);
      }
      return response.body();
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private HttpResponse<String> send(
      String method,
      String path,
      Map<String, Object> query,
      BodyPublisher body,
      @Nullable String type)
      throws InterruptedException {
    HttpResponse<String> response = exchange(method, path, query, body, type);
    if (response.statusCode() / 100 != 2) {
      throw ApiProblem.failure(response.statusCode(), response.body(), settings);
    }
    return response;
  }

  private HttpResponse<String> exchange(
      String method,
      String path,
      Map<String, Object> query,
      BodyPublisher body,
      @Nullable String type)
      throws InterruptedException {
    HttpRequest.Builder request = request(path, query).method(method, body);
    request.timeout(Duration.ofSeconds(60));
    if (type != null) {
      request.header("Content-Type", type);
    }
    try {
      return client.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw unreachable(e);
    }
  }

  private HttpRequest.Builder request(String path, Map<String, Object> query) {
    StringBuilder address = new StringBuilder(settings.server()).append(path);
    char separator = path.indexOf('?') < 0 ? '?' : '&';
    for (var entry : query.entrySet()) {
      List<?> values = entry.getValue() instanceof List<?> list ? list : List.of(entry.getValue());
      for (Object value : values) {
        address.append(separator).append(entry.getKey()).append('=').append(encode(value));
        separator = '&';
      }
    }
    try {
      HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address.toString()));
      settings.token().ifPresent(t -> request.header("Authorization", "Bearer " + t));
      return request.header("User-Agent", "slipway-cli/" + Version.text());
    } catch (IllegalArgumentException e) {
      throw new Failure(
          ExitCode.USAGE,
          "the server's address is none: " + settings.server(),
          "Write it like http://127.0.0.1:8081.");
    }
  }

  static String encode(Object value) {
    return URLEncoder.encode(String.valueOf(value), StandardCharsets.UTF_8).replace("+", "%20");
  }

  private Failure unreachable(IOException e) {
    String reason =
        e instanceof ConnectException ? "nothing answers there" : String.valueOf(e.getMessage());
    return new Failure(
        ExitCode.FAILED,
        "cannot reach the server at " + settings.server() + ": " + reason,
        "Start one with: slipway up",
        "Or say where it is: --server URL or SLIPWAY_SERVER");
  }

  private static Map<String, Object> map(String body) {
    return body.isBlank()
        ? Map.of()
        : Json.read(body) instanceof Map<?, ?> m ? Values.map(m) : Map.of("data", Json.read(body));
  }
}
