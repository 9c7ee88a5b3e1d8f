package dev.slipway.postgres;

import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Sealed;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** Records the fingerprint of the key that seals this database's secrets. */
public final class SealingKey {
  /**
   * Set by an operator who gives the old secrets up; the next server records its own key instead.
   */
  private static final String LOST = "lost";

  /** Some sealed values; for runs only the newest, because there may be millions. */
  private static final String SAMPLES =
      """
      SELECT sealed[1] FROM (%s
          (SELECT inputs::text FROM runs ORDER BY id DESC LIMIT 10000)
          UNION ALL (SELECT outputs::text FROM steps ORDER BY run_id DESC LIMIT 20000)
      ) tree (text), regexp_matches(text, '"\\$sealed": ?"(v1:[^"]+)"', 'g') sealed
      LIMIT 100
      """;

  private final Jdbi jdbi;
  private final String samples;

  /** The recorded state of the key. */
  public sealed interface Known {
    /** The fingerprint of the key. */
    record Recorded(String fingerprint) implements Known {}

    /**
     * No record, as in a new database or one of version 1; the key must open some of these samples.
     */
    record Unrecorded(List<Sealed> samples) implements Known {}

    /** The old key is lost; any new key is accepted. */
    record Lost() implements Known {}
  }

  /** Of a database whose branches have sealed values in these columns. */
  public SealingKey(Database database, List<SealedColumns> ofBranches) {
    this.jdbi = database.jdbi();
    this.samples = SAMPLES.formatted(String.join("", texts(ofBranches)));
  }

  private static List<String> texts(List<SealedColumns> ofBranches) {
    return ofBranches.stream()
        .filter(of -> of.storage() != SealedColumns.Storage.BYTES)
        .map(
            of ->
                "SELECT concat(%s) FROM %s UNION ALL "
                    .formatted(String.join(", ", of.columns()), of.table()))
        .toList();
  }

  public Known known() {
    return jdbi.withHandle(
        h -> {
          Optional<String> recorded = fingerprint(h);
          if (recorded.isEmpty()) {
            return new Known.Unrecorded(
                h.createQuery(samples).mapTo(String.class).map(SealingKey::sample).list());
          }
          return recorded.get().equals(LOST)
              ? new Known.Lost()
              : new Known.Recorded(recorded.get());
        });
  }

  /** Records this key unless one is recorded; returns the recorded one. */
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

  /** The id of the current sealing key; empty before the first rotation. */
  public Optional<String> sealing() {
    return jdbi.withHandle(
        h ->
            h.createQuery("SELECT sealing FROM sealing_key WHERE sealing IS NOT NULL")
                .mapTo(String.class)
                .findOne());
  }

  /** The keys that one replica has. */
  public record ReplicaKeys(String replica, String sealing, List<String> opening) {
    /** Whether the replica opens values that this key sealed. */
    public boolean opens(String key) {
      return sealing.equals(key) || opening.contains(key);
    }
  }

  /** Reports the keys of this replica. Values that it seals from now on need the key it names. */
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

  /** Deletes the report of a replica that stops. */
  public void forget(String replica) {
    jdbi.useHandle(h -> h.execute("DELETE FROM replica_keys WHERE replica = ?", replica));
  }

  /** The reports of all replicas that reported lately. */
  public List<ReplicaKeys> replicas() {
    return jdbi.withHandle(
        h ->
            h.createQuery(
                    """
                    SELECT replica, sealing, opening FROM replica_keys
                     WHERE seen_at > now() - interval '1 minute' ORDER BY replica
                    """)
                .map(
                    (rs, _) ->
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
