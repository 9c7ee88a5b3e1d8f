package dev.slipway.applications.store;

import dev.slipway.applications.plan.KnownResource;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.runs.RetriedRuns;
import java.util.Objects;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Links a run that was just made to the one it retries, and takes over what is done already. */
final class Retried {
  private Retried() {}

  /**
   * Inside the transaction that made the new run, so that no replica can claim it before. With
   * other params, or another operation, the new run executes every step itself.
   */
  static void takeOver(
      Handle handle,
      SecretBox box,
      KnownResource before,
      KnownResource after,
      Resources.Again again) {
    UUID old = before.run();
    UUID fresh = after.run();
    if (old == null || fresh == null || old.equals(fresh)) {
      return;
    }
    RetriedRuns runs = new RetriedRuns(handle, box, old, fresh);
    runs.link();
    if (!Objects.equals(before.attemptedHash(), after.attemptedHash())) {
      return;
    }
    if (again.by() == Resources.Again.By.STORED) {
      runs.takeDefinition();
    }
    runs.takeSteps(again.carry());
  }
}
