package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SelfApprovalTest {
  @Test
  void a_requester_decides_only_on_a_server_with_one_account_which_says_so() {
    try (Running running = new Running()) {
      running
          .asAdmin()
          .post("/api/environments", "{\"name\":\"guarded\",\"protected\":true}")
          .expect(201);
      String first = waiting(running, "one");
      assertThat(
              running
                  .asAdmin()
                  .post("/api/approvals/" + first + "/approve", "{}")
                  .expect(200)
                  .body())
          .contains("decided by the requester: this server has one account");

      running.member("dora", "default", "approver");
      String second = waiting(running, "two");
      assertThat(
              running
                  .asAdmin()
                  .post("/api/approvals/" + second + "/approve", "{}")
                  .expect(403)
                  .body())
          .contains("somebody else has to decide it");
      assertThat(running.asAdmin().get("/api/approvals/" + second).expect(200).json())
          .containsEntry("state", "pending")
          .containsEntry("votes", List.of());
    }
  }

  private static String waiting(Running running, String application) {
    Map<String, Object> reply =
        running
            .asAdmin()
            .yaml("/api/specs?environment=guarded", ApplicationTest.score(application))
            .expect(201)
            .json();
    return (String) reply.get("approvalId");
  }
}
