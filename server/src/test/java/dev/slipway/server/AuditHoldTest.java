package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Legal holds through the API; what they keep is in SweeperTest. */
class AuditHoldTest {
  @Test
  void an_administrator_sets_and_lifts_a_hold_and_both_are_audited() {
    try (Running running = new Running()) {
      String dora = running.member("dora", "*", "operator");
      String body = "{\"reason\":\"case 7\",\"team\":\"red\",\"from\":\"2026-01-01T00:00:00Z\"}";
      running.as(dora).post("/api/audit/holds", body).expect(403);
      running.asAdmin().post("/api/audit/holds", "{\"reason\":\" \"}").expect(422);
      running
          .asAdmin()
          .post("/api/audit/holds", "{\"reason\":\"x\",\"until\":\"soon\"}")
          .expect(422);
      Map<String, Object> hold =
          running.asAdmin().post("/api/audit/holds", body).expect(201).json();
      assertThat(hold).containsEntry("team", "red").containsEntry("from", "2026-01-01T00:00:00Z");
      Object id = hold.get("id");
      assertThat((List<?>) running.asAdmin().get("/api/audit/holds").expect(200).json().get("data"))
          .hasSize(1);
      assertThat(running.asAdmin().delete("/api/audit/holds/" + id).expect(200).json())
          .containsKey("liftedAt");
      running.asAdmin().delete("/api/audit/holds/00000000-0000-7000-8000-000000000000").expect(404);
      for (String action : List.of("setAuditHold", "liftAuditHold")) {
        assertThat(running.asAdmin().get("/api/audit?action=" + action).expect(200).body())
            .contains("/api/audit/holds");
      }
    }
  }
}
