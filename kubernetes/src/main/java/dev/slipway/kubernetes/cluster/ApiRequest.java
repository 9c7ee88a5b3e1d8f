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
    Optional<Body> body,
    Part part) {
  /** The verbs that Slipway uses. */
  public enum Method {
    GET,
    POST,
    PATCH,
    DELETE
  }

  /** How much of objects is answered. */
  public enum Part {
    WHOLE("application/json"),
    /** Of a list the metadata of objects alone. */
    METADATA_OF_LIST("application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"),
    /** Of an object, or of those in a watch, the metadata alone. */
    METADATA("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");

    private final String accept;

    Part(String accept) {
      this.accept = accept;
    }

    String accept() {
      return accept;
    }
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
    return new ApiRequest(
        Method.GET, path, Map.of(), Optional.empty(), Optional.empty(), Part.WHOLE);
  }

  /** A request that changes something. */
  public static ApiRequest change(Method method, String path, Body body) {
    return new ApiRequest(method, path, Map.of(), Optional.empty(), Optional.of(body), Part.WHOLE);
  }

  /** The same in the name of that user. */
  public ApiRequest as(Optional<String> other) {
    return new ApiRequest(method, path, query, other, body, part);
  }

  /** The same with one more parameter. */
  public ApiRequest with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(query);
    more.put(name, value);
    return new ApiRequest(method, path, more, user, body, part);
  }

  /** The same, answered with that part of objects. */
  public ApiRequest answering(Part other) {
    return new ApiRequest(method, path, query, user, body, other);
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
