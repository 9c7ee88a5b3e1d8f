package dev.slipway.steps;

import dev.slipway.engine.execute.RunLease;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.value.Values;
import dev.slipway.steps.HostRules.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A client of the configured Gitea's REST API. Its error texts never contain the credentials. */
final class GiteaServer {
  private static final int LARGEST_BODY = 1024 * 1024;
  private static final Duration LONGEST_CALL = Duration.ofSeconds(30);

  private final URI api;
  private final @Nullable String authorisation;
  private final @Nullable String owner;
  private final Secrets secrets;
  private final HttpClient client;

  private GiteaServer(
      URI api,
      @Nullable String authorisation,
      @Nullable String owner,
      Secrets secrets,
      HttpClient client) {
    this.api = api;
    this.authorisation = authorisation;
    this.owner = owner;
    this.secrets = secrets;
    this.client = client;
  }

  /**
   * Reads the section {@code gitea} of the configuration: {@code url}; {@code token}, or {@code
   * username} and {@code password}; {@code owner} for steps that name none.
   *
   * @throws IllegalArgumentException when there is no usable address
   */
  static GiteaServer of(Map<String, Object> written, HttpClient client) {
    String url = text(written, "url").orElse("").replaceAll("/+$", "");
    URI uri = URI.create(url + "/api/v1");
    if (uri.getHost() == null
        || uri.getUserInfo() != null
        || !Set.of("http", "https").contains(String.valueOf(uri.getScheme()))) {
      throw new IllegalArgumentException("gitea.url is no http or https address");
    }
    Optional<String> token = text(written, "token");
    Optional<String> user = text(written, "username").or(() -> text(written, "user"));
    String password = text(written, "password").orElse("");
    String authorisation =
        token.map(t -> "token " + t).or(() -> user.map(u -> basic(u, password))).orElse(null);
    return new GiteaServer(
        uri,
        authorisation,
        text(written, "owner").or(() -> text(written, "org")).orElse(null),
        Secrets.of(List.of(token.orElse(""), password)),
        client);
  }

  private static Optional<String> text(Map<String, Object> written, String key) {
    Object value = written.get(key);
    return value == null || String.valueOf(value).isBlank()
        ? Optional.empty()
        : Optional.of(String.valueOf(value));
  }

  private static String basic(String user, String password) {
    byte[] pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(pair);
  }

  /** The owner of repositories for steps that name none. */
  Optional<String> owner() {
    return Optional.ofNullable(owner);
  }

  /**
   * Why it may not be called at all: the configuration names the host, but its address is still
   * checked.
   */
  @Nullable StepError refusal(HostRules hosts) {
    return switch (hosts.judgeConfigured(api.getHost())) {
      case Verdict.Allowed _ -> null;
      case Verdict.Refused(StepError error) -> error;
    };
  }

  /** The address of a repository, as grants name it. */
  String repository(String owner, String name) {
    return api.toString().replaceFirst("/api/v1$", "") + "/" + owner + "/" + name;
  }

  /** The server's name in messages. */
  String label() {
    return api.getScheme() + "://" + api.getAuthority();
  }

  GiteaAnswer get(Duration left, String... path) throws IOException, InterruptedException {
    return send(left, request(path).GET());
  }

  GiteaAnswer post(Duration left, RunLease lease, Map<String, Object> body, String... path)
      throws IOException, InterruptedException {
    BodyPublisher leased = new LeasedBody(BodyPublishers.ofString(Json.write(body)), lease);
    return change(
        left, lease, request(path).header("Content-Type", "application/json").POST(leased));
  }

  GiteaAnswer patch(Duration left, RunLease lease, Map<String, Object> body, String... path)
      throws IOException, InterruptedException {
    BodyPublisher leased = new LeasedBody(BodyPublishers.ofString(Json.write(body)), lease);
    return change(
        left,
        lease,
        request(path).header("Content-Type", "application/json").method("PATCH", leased));
  }

  GiteaAnswer delete(Duration left, RunLease lease, String... path)
      throws IOException, InterruptedException {
    BodyPublisher leased = new LeasedBody(BodyPublishers.noBody(), lease);
    return change(left, lease, request(path).method("DELETE", leased));
  }

  private GiteaAnswer change(Duration left, RunLease lease, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    try {
      return send(left, request);
    } catch (IOException e) {
      lease.check();
      throw e;
    }
  }

  private HttpRequest.Builder request(String... path) {
    StringBuilder url = new StringBuilder(api.toString());
    for (String part : path) {
      url.append('/').append(URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"));
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url.toString())).header("Accept", "application/json");
    return authorisation == null ? request : request.header("Authorization", authorisation);
  }

  private GiteaAnswer send(Duration left, HttpRequest.Builder request)
      throws IOException, InterruptedException {
    Duration timeout = left.compareTo(LONGEST_CALL) < 0 ? left : LONGEST_CALL;
    HttpResponse<InputStream> response =
        client.send(request.timeout(timeout).build(), BodyHandlers.ofInputStream());
    try (InputStream in = response.body()) {
      String text = new String(in.readNBytes(LARGEST_BODY), StandardCharsets.UTF_8);
      return new GiteaAnswer(response.statusCode(), object(text));
    }
  }

  private Map<String, Object> object(String text) {
    try {
      return text.isBlank() || !(Json.read(secrets.mask(text)) instanceof Map<?, ?> map)
          ? Map.of()
          : Values.map(map);
    } catch (IllegalArgumentException e) {
      return Map.of();
    }
  }
}
