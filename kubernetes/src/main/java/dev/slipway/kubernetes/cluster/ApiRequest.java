package dev.slipway.kubernetes.cluster;

import dev.slipway.engine.value.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One request to an API server.
 *
 * @param path without the server's address, segments encoded
 * @param query in order, not encoded
 */
public record ApiRequest(
    Method method,
    String path,
    Map<String, String> query,
    Optional<String> user,
    Optional<Body> body) {
  /** The verbs that Slipway uses. */
  public enum Method {
    GET,
    POST,
    PATCH,
    DELETE
  }

  /** What is sent, and of which media type. */
  public record Body(String type, byte[] bytes) {
    /** A JSON text of that media type. */
    public static Body json(String type, Object value) {
      return new Body(type, Json.write(value).getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Reads that path. */
  public static ApiRequest get(String path) {
    return new ApiRequest(Method.GET, path, Map.of(), Optional.empty(), Optional.empty());
  }

  /** A request that changes something. */
  public static ApiRequest change(Method method, String path, Body body) {
    return new ApiRequest(method, path, Map.of(), Optional.empty(), Optional.of(body));
  }

  /** The same in the name of that user. */
  public ApiRequest as(Optional<String> other) {
    return new ApiRequest(method, path, query, other, body);
  }

  /** The same with one more parameter. */
  public ApiRequest with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(query);
    more.put(name, value);
    return new ApiRequest(method, path, more, user, body);
  }

  /** The path with the encoded query. */
  String target() {
    StringBuilder target = new StringBuilder(path);
    query.forEach(
        (key, value) ->
            target
                .append(target.length() == path.length() ? '?' : '&')
                .append(key)
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
    return target.toString();
  }

  /** Whether it only reads. */
  public boolean reads() {
    return method == Method.GET;
  }
}
