package dev.slipway.postgres.runs;

import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.SecretBox;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.generic.GenericType;

/**
 * Links a run that was just made to the one that it retries, and takes over what that one has done.
 * Inside the transaction that made the new run, so that no replica can claim it before.
 */
public record RetriedRuns(Handle tx, SecretBox box, UUID old, UUID fresh) {
  private static final String DEFINITION =
      """
      UPDATE runs n SET definition_hash = o.definition_hash, inputs = o.inputs,
                        provider = o.provider, workflow = o.workflow
        FROM runs o
       WHERE n.id = ? AND o.id = ? AND o.operation = n.operation
         AND o.definition_hash <> n.definition_hash
      """;

  private static final String STEPS =
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
          .formatted(UndoneSteps.of(":old"));

  /** From now on the new run descends from the old one. */
  public void link() {
    tx.execute("UPDATE runs SET parent_run_id = ? WHERE id = ?", old, fresh);
  }

  /** The new run executes what the old one did; inputs were bound for it, so they come with it. */
  public void takeDefinition() {
    if (tx.execute(DEFINITION, fresh, old) > 0) {
      rebindInputs();
    }
  }

  /** Steps that succeeded and were not undone; only these, if some are named. */
  public void takeSteps(Optional<Set<String>> only) {
    tx.createUpdate(STEPS)
        .bind("old", old)
        .bind("fresh", fresh)
        .bindByType(
            "carry", only.map(names -> names.toArray(String[]::new)).orElse(null), String[].class)
        .execute();
    rebindSteps();
  }

  /** Secrets are sealed for the row that holds them: copied ones are sealed anew. */
  private void rebindInputs() {
    String inputs =
        tx.createQuery("SELECT inputs FROM runs WHERE id = ?")
            .bind(0, fresh)
            .mapTo(String.class)
            .one();
    Object bound =
        box.bind(Json.read(inputs, EncryptionContext.run(old)), EncryptionContext.run(fresh));
    tx.execute("UPDATE runs SET inputs = ?::json WHERE id = ?", Json.write(bound), fresh);
  }

  private void rebindSteps() {
    Map<String, String> outputs =
        tx.createQuery("SELECT name, outputs FROM steps WHERE run_id = ? AND outputs::text LIKE ?")
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
          tx.execute(
              "UPDATE steps SET outputs = ?::json WHERE run_id = ? AND name = ?",
              Json.write(bound),
              fresh,
              name);
        });
  }
}
