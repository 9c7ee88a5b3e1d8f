package dev.slipway.postgres.applications;

import dev.slipway.engine.plan.KnownResource;
import java.util.Objects;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Links a run that was just made to the one it retries, and takes over what is done already. */
final class Retried {
  private Retried() {}

  /**
   * Inside the transaction that made the new run, so that nobody can take it up before. With other
   * params, or another operation, the new run does everything itself.
   */
  static void takeOver(
      Handle handle, KnownResource before, KnownResource after, Resources.Again again) {
    UUID old = before.run();
    UUID fresh = after.run();
    if (old == null || fresh == null || old.equals(fresh)) {
      return;
    }
    handle.execute("UPDATE runs SET parent_run_id = ? WHERE id = ?", old, fresh);
    if (!Objects.equals(before.attemptedHash(), after.attemptedHash())) {
      return;
    }
    if (again.by() == Resources.Again.By.STORED) {
      // Inputs were bound for the definition, so they come with it.
      handle.execute(
          """
          UPDATE runs n SET definition_hash = o.definition_hash, inputs = o.inputs,
                            provider = o.provider, workflow = o.workflow
            FROM runs o
           WHERE n.id = ? AND o.id = ? AND o.operation = n.operation
             AND o.definition_hash <> n.definition_hash
          """,
          fresh,
          old);
    }
    handle
        .createUpdate(
            """
            INSERT INTO steps (run_id, name, state, attempt, input_hash, outputs, carried,
                               started_at, finished_at)
            SELECT n.id, s.name, s.state, s.attempt, s.input_hash, s.outputs, true,
                   s.started_at, s.finished_at
              FROM runs n JOIN runs o ON o.id = :old AND o.operation = n.operation
              JOIN steps s ON s.run_id = o.id AND s.state = 'succeeded'
             WHERE n.id = :fresh
               AND (CAST(:carry AS text[]) IS NULL OR s.name = ANY (:carry))
            """)
        .bind("old", old)
        .bind("fresh", fresh)
        .bindByType(
            "carry",
            again.carry().map(names -> names.toArray(String[]::new)).orElse(null),
            String[].class)
        .execute();
  }
}
