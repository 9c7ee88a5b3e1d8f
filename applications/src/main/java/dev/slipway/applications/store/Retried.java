package dev.slipway.applications.store;

import dev.slipway.applications.plan.KnownResource;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.runs.UndoneSteps;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.generic.GenericType;

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
    handle.execute("UPDATE runs SET parent_run_id = ? WHERE id = ?", old, fresh);
    if (!Objects.equals(before.attemptedHash(), after.attemptedHash())) {
      return;
    }
    if (again.by() == Resources.Again.By.STORED) {
      // Inputs were bound for the definition, so they come with it.
      int taken =
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
      if (taken > 0) {
        rebindInputs(handle, box, old, fresh);
      }
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
               AND s.name NOT IN (%s)
               AND (CAST(:carry AS text[]) IS NULL OR s.name = ANY (:carry))
            """
                .formatted(UndoneSteps.of(":old")))
        .bind("old", old)
        .bind("fresh", fresh)
        .bindByType(
            "carry",
            again.carry().map(names -> names.toArray(String[]::new)).orElse(null),
            String[].class)
        .execute();
    rebindSteps(handle, box, old, fresh);
  }

  /** Secrets are sealed for the row that holds them, so copied ones are sealed again. */
  private static void rebindInputs(Handle handle, SecretBox box, UUID old, UUID fresh) {
    String inputs =
        handle
            .createQuery("SELECT inputs FROM runs WHERE id = ?")
            .bind(0, fresh)
            .mapTo(String.class)
            .one();
    Object bound =
        box.bind(Json.read(inputs, EncryptionContext.run(old)), EncryptionContext.run(fresh));
    handle.execute("UPDATE runs SET inputs = ?::json WHERE id = ?", Json.write(bound), fresh);
  }

  private static void rebindSteps(Handle handle, SecretBox box, UUID old, UUID fresh) {
    Map<String, String> outputs =
        handle
            .createQuery(
                "SELECT name, outputs FROM steps WHERE run_id = ? AND outputs::text LIKE ?")
            .bind(0, fresh)
            .bind(1, "%" + Sealed.KEY + "%")
            .setMapKeyColumn("name")
            .setMapValueColumn("outputs")
            .collectInto(new GenericType<Map<String, String>>() {});
    outputs.forEach(
        (name, json) -> {
          Object bound =
              box.bind(
                  Json.read(json, EncryptionContext.step(old, name)),
                  EncryptionContext.step(fresh, name));
          handle.execute(
              "UPDATE steps SET outputs = ?::json WHERE run_id = ? AND name = ?",
              Json.write(bound),
              fresh,
              name);
        });
  }
}
