package dev.slipway.cli;

import java.util.List;
import java.util.Map;

/** What waits for a person. */
final class PendingApprovals {
  private PendingApprovals() {}

  static List<Map<String, Object>> list(Api api) throws InterruptedException {
    return api.list("/api/approvals", Api.query("state", "pending"), 1000);
  }

  static Table table() {
    return new Table()
        .column("ID", "id")
        .column("APP", "application")
        .column("ENVIRONMENT", "environment")
        .column("MESSAGE", "message")
        .column("ASKED BY", "requestedBy")
        .column("EXPIRES IN", r -> Since.until(r.get("expiresAt")));
  }
}
