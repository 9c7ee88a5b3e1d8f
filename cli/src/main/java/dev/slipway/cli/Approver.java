package dev.slipway.cli;

import dev.slipway.cli.cases.Observed;
import java.io.IOException;
import java.util.Map;

/** Grants, as the administrator, every approval that a resource's run waits for. */
record Approver(Api admin, CaseWatch watch) {

  /** What becomes of the resource when nothing waits for an approval any more. */
  Observed settled(TestResource resource, Observed observed)
      throws InterruptedException, IOException {
    Observed now = observed;
    while (CaseWatch.waitsForApproval(now.run())) {
      for (Map<String, Object> asked :
          Api.items(admin.get("/api/approvals", Api.query("state", "pending")).get("data"))) {
        admin.post(
            Verb.path("approvals", String.valueOf(asked.get("id")), "approve"), Map.of(), Map.of());
      }
      watch.pause();
      now = resource.ended(String.valueOf(now.run().get("id")));
    }
    return now;
  }
}
