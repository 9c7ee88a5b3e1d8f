package dev.slipway.kubernetes.cluster;

import dev.slipway.engine.value.Values;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What an API server answered: an object, a list, or a {@code Status} that says why not. */
public record ApiReply(int status, Map<String, Object> body, Optional<String> retryAfter) {
  /** One reason of a refusal, about one field. */
  public record Cause(String reason, String message, String field) {}

  /** Whether the request was carried out. */
  public boolean ok() {
    return status / 100 == 2;
  }

  /** The word that Kubernetes has for the refusal, such as {@code AlreadyExists}. */
  public String reason() {
    return Objects.toString(body.get("reason"), "");
  }

  /** The server's sentence. */
  public String message() {
    return Objects.toString(body.get("message"), "status " + status);
  }

  /** The single reasons of a refusal. */
  public List<Cause> causes() {
    return Values.map(body.get("details")).get("causes") instanceof List<?> list
        ? list.stream().map(Values::map).map(ApiReply::cause).toList()
        : List.of();
  }

  private static Cause cause(Map<String, Object> map) {
    return new Cause(
        Objects.toString(map.get("reason"), ""),
        Objects.toString(map.get("message"), ""),
        Objects.toString(map.get("field"), ""));
  }
}
