package dev.slipway.postgres;

import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Sealed;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** Remembers by which key the secrets of this database are sealed: its fingerprint. */
public final class SealingKey {
  /** Recorded by whoever goes on without the old secrets; the next key takes its place. */
  private static final String LOST = "lost";

  /** Some of what is sealed; of runs the newest are enough, there may be millions. */
  private static final String SAMPLES =
      """
      SELECT sealed[1] FROM (
          SELECT concat(params, applied_params, attempted_params, outputs) FROM resources
          UNION ALL SELECT spec::text FROM revisions
          UNION ALL (SELECT inputs::text FROM runs ORDER BY id DESC LIMIT 10000)
          UNION ALL (SELECT outputs::text FROM steps ORDER BY run_id DESC LIMIT 20000)
      ) tree (text), regexp_matches(text, '"\\$sealed": ?"(v1:[^"]+)"', 'g') sealed
      LIMIT 100
      """;

  private final Jdbi jdbi;

  /** What is known of the key. */
  public sealed interface Known {
    /** This one. */
    record Recorded(String fingerprint) implements Known {}

    /** Nothing, as in a new database or one of version 1; it is one that opens some of these. */
    record Unrecorded(List<Sealed> samples) implements Known {}

    /** It is gone, and any other will do. */
    record Lost() implements Known {}
  }

  public SealingKey(Database database) {
    this.jdbi = database.jdbi();
  }

  public Known known() {
    return jdbi.withHandle(
        h -> {
          Optional<String> recorded = fingerprint(h);
          if (recorded.isEmpty()) {
            return new Known.Unrecorded(
                h.createQuery(SAMPLES).mapTo(String.class).map(SealingKey::sample).list());
          }
          return recorded.get().equals(LOST)
              ? new Known.Lost()
              : new Known.Recorded(recorded.get());
        });
  }

  /** Makes this the key unless there is one; answers the one that counts. */
  public String settle(String fingerprint) {
    return jdbi.withHandle(
        h -> {
          h.execute(
              """
              INSERT INTO sealing_key AS known (fingerprint) VALUES (?)
              ON CONFLICT (one) DO UPDATE
                 SET fingerprint = excluded.fingerprint, since = now(), sealing = NULL
               WHERE known.fingerprint = ?
              """,
              fingerprint,
              LOST);
          return fingerprint(h).orElseThrow();
        });
  }

  /** The id of the key that secrets are sealed with; empty before the first rotation. */
  public Optional<String> sealing() {
    return jdbi.withHandle(
        h ->
            h.createQuery("SELECT sealing FROM sealing_key WHERE sealing IS NOT NULL")
                .mapTo(String.class)
                .findOne());
  }

  /** The keys of one replica. */
  public record ReplicaKeys(String replica, String sealing, List<String> opening) {
    /** Whether it opens what that key has sealed. */
    public boolean opens(String key) {
      return sealing.equals(key) || opening.contains(key);
    }
  }

  /** Says which keys this replica has. What it seals from now on needs the key it names. */
  public void report(ReplicaKeys keys) {
    jdbi.useTransaction(
        h -> {
          h.execute(
              "UPDATE sealing_key SET sealing = ? WHERE sealing IS DISTINCT FROM ?",
              keys.sealing(),
              keys.sealing());
          h.createUpdate(
                  """
                  INSERT INTO replica_keys (replica, sealing, opening, seen_at)
                  VALUES (:replica, :sealing, :opening, now())
                  ON CONFLICT (replica) DO UPDATE
                     SET sealing = excluded.sealing, opening = excluded.opening,
                         seen_at = excluded.seen_at
                  """)
              .bind("replica", keys.replica())
              .bind("sealing", keys.sealing())
              .bindByType("opening", keys.opening().toArray(String[]::new), String[].class)
              .execute();
          h.execute("DELETE FROM replica_keys WHERE seen_at < now() - interval '1 day'");
        });
  }

  /** A replica that stops has no keys any more. */
  public void forget(String replica) {
    jdbi.useHandle(h -> h.execute("DELETE FROM replica_keys WHERE replica = ?", replica));
  }

  /** The keys of each replica that reported lately. */
  public List<ReplicaKeys> replicas() {
    return jdbi.withHandle(
        h ->
            h.createQuery(
                    """
                    SELECT replica, sealing, opening FROM replica_keys
                     WHERE seen_at > now() - interval '1 minute' ORDER BY replica
                    """)
                .map(
                    (rs, context) ->
                        new ReplicaKeys(
                            rs.getString("replica"),
                            rs.getString("sealing"),
                            List.of((String[]) rs.getArray("opening").getArray())))
                .list());
  }

  private static Sealed sample(String ciphertext) {
    return new Sealed(ciphertext, new EncryptionContext("sample"));
  }

  private static Optional<String> fingerprint(Handle handle) {
    return handle.createQuery("SELECT fingerprint FROM sealing_key").mapTo(String.class).findOne();
  }
}
