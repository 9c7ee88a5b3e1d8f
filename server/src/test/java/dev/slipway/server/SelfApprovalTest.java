package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SelfApprovalTest {
  @TempDir Path home;

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
          .contains("another account has to decide it");
      assertThat(running.asAdmin().get("/api/approvals/" + second).expect(200).json())
          .containsEntry("state", "pending")
          .containsEntry("votes", List.of());
    }
  }

  @Test
  void the_configuration_lets_requesters_decide_where_there_are_several_accounts()
      throws IOException {
    Path config = home.resolve("admin-config.yaml");
    Files.writeString(config, "policies: {}");
    try (Running running = new Running(Optional.of(config))) {
      running.member("dora", "default", "approver");
      running
          .asAdmin()
          .post("/api/environments", "{\"name\":\"guarded\",\"protected\":true}")
          .expect(201);
      String own = "/api/approvals/" + waiting(running, "one") + "/approve";
      assertThat(running.asAdmin().post(own, "{}").expect(403).body())
          .contains("workflowPolicies.security.allowSelfApproval");

      Files.writeString(config, "workflowPolicies: {security: {allowSelfApproval: true}}");
      running.asAdmin().post("/api/admin/reload", "").expect(200);
      running.asAdmin().post(own, "{}").expect(200);
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
