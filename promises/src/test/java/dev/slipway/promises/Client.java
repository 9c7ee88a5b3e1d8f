package dev.slipway.promises;

import dev.slipway.engine.value.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Asks whichever server is up, as a patient client does: again, with the same key. */
final class Client {
  /** What a server answered. */
  record Answer(int status, String body) {
    Map<String, Object> json() {
      return Json.readMap(body);
    }
  }

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final Supplier<Replica> server;
  private final Supplier<String> token;

  /** As the administrator. */
  Client(Supplier<Replica> server) {
    this(server, () -> server.get().token());
  }

  private Client(Supplier<Replica> server, Supplier<String> token) {
    this.server = server;
    this.token = token;
  }

  /** A second user, who may decide approvals that the administrator asks for. */
  Client another() throws IOException {
    Answer user =
        post(
            "/api/admin/users",
            "application/json",
            "{\"name\": \"another\", \"roles\": [{\"role\": \"approver\"}]}",
            "another");
    Answer key =
        post(
            "/api/admin/users/another/api-keys",
            "application/json",
            "{\"name\": \"decisions\"}",
            "key-of-another");
    if (user.status() != 201 || key.status() != 201) {
      throw new AssertionError("the second user was not made: " + user + " " + key);
    }
    String theirs = String.valueOf(key.json().get("token"));
    return new Client(server, () -> theirs);
  }

  /** One try; throws when the server goes away meanwhile. */
  Answer get(String path) throws IOException {
    return send(request(path).GET());
  }

  /** One try of a creating call. */
  Answer post(String path, String type, String body, String key) throws IOException {
    return send(
        request(path)
            .header("Content-Type", type)
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(body)));
  }

  /** One try. With another key it would be another wish, as after one that failed. */
  Answer delete(String path, String key) throws IOException {
    return send(request(path).header("Idempotency-Key", key).DELETE());
  }

  private HttpRequest.Builder request(String path) {
    Replica replica = server.get();
    return HttpRequest.newBuilder(URI.create(replica.url() + path))
        .timeout(Duration.ofSeconds(30))
        .header("Authorization", "Bearer " + token.get());
  }

  private Answer send(HttpRequest.Builder request) throws IOException {
    try {
      HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.body());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The objects of a list. */
  @SuppressWarnings("unchecked")
  static List<Map<String, Object>> data(Answer list) {
    return (List<Map<String, Object>>) list.json().get("data");
  }
}
