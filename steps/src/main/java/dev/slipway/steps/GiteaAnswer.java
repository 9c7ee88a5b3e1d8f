package dev.slipway.steps;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A response; {@code body} is empty when it was no JSON object. */
record GiteaAnswer(int status, Map<String, Object> body) {
  boolean ok() {
    return status / 100 == 2;
  }

  /** Whether the failure is transient: overload or a server error. */
  boolean passing() {
    return status == 429 || status / 100 == 5;
  }

  String words() {
    Object message = body.get("message");
    return "status " + status + (message == null ? "" : ", " + message);
  }

  String code() {
    return switch (status) {
      case 401 -> "gitea-unauthorised";
      case 403 -> "gitea-forbidden";
      case 404 -> "owner-not-found";
      default -> "gitea-refused";
    };
  }

  @Nullable String hint() {
    return switch (status) {
      case 401 -> "Check token, or username and password, below gitea in the configuration.";
      case 403 -> "The credentials in the configuration need the right to do this.";
      case 404 -> "Create the organisation or user first, or correct 'owner'.";
      default -> null;
    };
  }
}
