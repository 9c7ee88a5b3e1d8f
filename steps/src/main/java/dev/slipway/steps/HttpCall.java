package dev.slipway.steps;

import dev.slipway.engine.execute.RunLease;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The request that an http step asks for. */
record HttpCall(URI target, Map<String, Object> config) {
  /**
   * Reads a step's config.
   *
   * @throws IllegalArgumentException when the URL is no address
   */
  static HttpCall of(Map<String, Object> config) {
    String url = String.valueOf(config.get("url"));
    Map<String, Object> query = Values.map(config.get("query"));
    StringBuilder full = new StringBuilder(url);
    query.forEach(
        (k, v) ->
            full.append(full.indexOf("?") < 0 ? '?' : '&')
                .append(URLEncoder.encode(k, StandardCharsets.UTF_8))
                .append('=')
                .append(URLEncoder.encode(text(v), StandardCharsets.UTF_8)));
    URI uri = URI.create(full.toString());
    if (uri.getHost() == null
        || !Set.of("http", "https").contains(String.valueOf(uri.getScheme()))) {
      throw new IllegalArgumentException("not an http or https address: " + url);
    }
    if (climbs(uri.getPath())) {
      throw new IllegalArgumentException("the path of the url has a segment '..': " + url);
    }
    return new HttpCall(uri, config);
  }

  /**
   * Many servers resolve dot segments, also encoded ones: a value in the path could reach other
   * paths.
   */
  private static boolean climbs(@Nullable String path) {
    return path != null
        && Arrays.stream(path.split("[/\\\\]"))
            .anyMatch(segment -> segment.replaceFirst(";.*", "").equals(".."));
  }

  /**
   * The request with this timeout and the key of its attempt. It goes to {@code address}, even if
   * the host's name resolves to another one by then; the Host header carries the name.
   */
  HttpRequest request(InetAddress address, String key, Duration left, RunLease lease) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(at(address))
            .timeout(left.isPositive() ? left : Duration.ofMillis(1))
            .header("Idempotency-Key", key);
    Object json = config.get("json");
    Object body = config.get("body");
    boolean sends = json != null || body != null;
    String method =
        config.get("method") == null ? (sends ? "POST" : "GET") : text(config.get("method"));
    builder.method(
        method.toUpperCase(Locale.ROOT),
        new LeasedBody(
            sends
                ? BodyPublishers.ofString(json != null ? Json.write(json) : text(body))
                : BodyPublishers.noBody(),
            lease));
    Map<String, Object> headers = Values.map(config.get("headers"));
    if (json != null && headers.keySet().stream().noneMatch("content-type"::equalsIgnoreCase)) {
      builder.setHeader("Content-Type", "application/json");
    }
    authorisation(Values.map(config.get("auth")))
        .ifPresent(a -> builder.setHeader("Authorization", a));
    if (headers.keySet().stream().anyMatch("host"::equalsIgnoreCase)) {
      throw new IllegalArgumentException("the header Host is that of the url");
    }
    headers.forEach((k, v) -> builder.setHeader(k, text(v)));
    String port = target.getPort() < 0 ? "" : ":" + target.getPort();
    return builder.setHeader("Host", target.getHost() + port).build();
  }

  private URI at(InetAddress address) {
    String literal = address.getHostAddress().replaceFirst("%.*", "");
    StringBuilder uri = new StringBuilder(target.getScheme()).append("://");
    uri.append(address instanceof Inet6Address ? "[" + literal + "]" : literal);
    uri.append(target.getPort() < 0 ? "" : ":" + target.getPort());
    uri.append(target.getRawPath() == null ? "" : target.getRawPath());
    uri.append(target.getRawQuery() == null ? "" : "?" + target.getRawQuery());
    return URI.create(uri.toString());
  }

  private static Optional<String> authorisation(Map<String, Object> auth) {
    if (auth.get("bearer") != null) {
      return Optional.of("Bearer " + text(auth.get("bearer")));
    }
    if (auth.get("username") != null) {
      String pair = text(auth.get("username")) + ":" + text(auth.get("password"));
      return Optional.of(
          "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
    }
    return Optional.empty();
  }

  static String text(@Nullable Object value) {
    return value == null ? "" : value instanceof String s ? s : Json.write(value);
  }
}
