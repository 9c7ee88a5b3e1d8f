package dev.slipway.cli;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What waits for a person. */
record PendingApprovals(Api api) {
  List<Map<String, Object>> list() throws InterruptedException {
    return api.list("/api/approvals", Api.query("state", "pending"), 1000);
  }

  /** The approval that an application waits for. */
  Optional<String> stopping(String application, String environment) throws InterruptedException {
    Optional<String> asked =
        list().stream()
            .filter(a -> application.equals(a.get("application")))
            .filter(a -> environment.equals(a.get("environment")))
            .map(a -> String.valueOf(a.get("id")))
            .findFirst();
    if (asked.isPresent()) {
      for (String busy : List.of("running", "pending")) {
        Map<String, Object> query =
            Api.query("application", application, "environment", environment, "status", busy);
        if (!api.list("/api/workflows", query, 1).isEmpty()) {
          return Optional.empty();
        }
      }
    }
    return asked;
  }

  static Table table() {
    return new Table()
        .column("ID", "id")
        .column("APPLICATION", "application")
        .column("ENVIRONMENT", "environment")
        .column("MESSAGE", "message")
        .column("ASKED BY", "requestedBy")
        .column("EXPIRES IN", r -> Since.until(r.get("expiresAt")));
  }
}
