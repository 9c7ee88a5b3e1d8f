package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.RunStore.Cancel;
import dev.slipway.engine.execute.RunStore.CancelAnswer;
import dev.slipway.engine.execute.RunStore.Held;
import dev.slipway.engine.execute.RunStore.Owner;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Keeps, gives back and calls back what is claimed. Rows are locked in the order of their ids. */
final class Leases {
  private static final String HELD =
      """
      WITH held AS MATERIALIZED (
        SELECT r.id
          FROM runs r
          JOIN unnest(:ids, :epochs) AS h (id, epoch) ON r.id = h.id AND r.epoch = h.epoch
         WHERE r.owner = :owner
         ORDER BY r.id
           FOR NO KEY UPDATE OF r)
      """;

  private Leases() {}

  static Map<UUID, Held> prolong(
      Handle handle, Owner owner, Map<UUID, Long> epochs, Instant until) {
    Map<UUID, Held> held = new HashMap<>();
    handle
        .createQuery(
            HELD
                + """
                UPDATE runs r SET claimable_at = :until
                  FROM held
                 WHERE r.id = held.id
                RETURNING r.id, r.cancel, r.signals
                """)
        .bind("ids", epochs.keySet().toArray(UUID[]::new))
        .bind("epochs", epochs.values().toArray(Long[]::new))
        .bind("owner", owner.text())
        .bind("until", until)
        .map(
            (rs, context) ->
                held.put(
                    rs.getObject("id", UUID.class),
                    new Held(
                        Optional.ofNullable(rs.getString("cancel"))
                            .map(c -> State.parse(Cancel.class, c)),
                        rs.getInt("signals"))))
        .list();
    return held;
  }

  static int abandon(Handle handle, Owner owner, Map<UUID, Long> epochs, Instant claimableAt) {
    return handle
        .createUpdate(
            HELD
                + """
                UPDATE runs r SET claimable_at = :at, owner = NULL
                  FROM held
                 WHERE r.id = held.id
                """)
        .bind("ids", epochs.keySet().toArray(UUID[]::new))
        .bind("epochs", epochs.values().toArray(Long[]::new))
        .bind("owner", owner.text())
        .bind("at", claimableAt)
        .execute();
  }

  static int disown(Handle handle, Owner owner, Set<UUID> held, Instant now) {
    return handle
        .createUpdate(
            """
            WITH unknown AS MATERIALIZED (
              SELECT id FROM runs
               WHERE claimable_at <= :now AND owner = :owner AND NOT (id = ANY (:held))
               ORDER BY id
                 FOR NO KEY UPDATE)
            UPDATE runs r SET claimable_at = :now, owner = NULL
              FROM unknown
             WHERE r.id = unknown.id
            """)
        .bind("now", now)
        .bind("owner", owner.text())
        .bind("held", held.toArray(UUID[]::new))
        .execute();
  }

  static int release(Handle handle, Owner successor, Instant now) {
    return handle
        .createUpdate(
            """
            UPDATE runs SET claimable_at = :now, owner = NULL
             WHERE claimable_at IS NOT NULL
               AND split_part(owner, '/', 1) = :replica AND owner <> :owner
            """)
        .bind("now", now)
        .bind("replica", successor.replica())
        .bind("owner", successor.text())
        .execute();
  }

  static CancelAnswer cancel(Handle handle, UUID run, Cancel how, Instant now) throws SQLException {
    int asked =
        handle
            .createUpdate(
                """
                UPDATE runs
                   SET cancel = CASE WHEN cancel = 'forced' THEN cancel ELSE :how END,
                       signals = signals + 1,
                       claimable_at = CASE WHEN owner IS NULL THEN least(claimable_at, :now)
                                           ELSE claimable_at END
                 WHERE id = :run AND state IN ('pending', 'running', 'waiting')
                """)
            .bind("how", how.text())
            .bind("now", now)
            .bind("run", run)
            .execute();
    if (asked == 1) {
      Notifications.send(handle.getConnection(), Topic.RUNS, run.toString());
      return CancelAnswer.ASKED;
    }
    return handle
            .createQuery("SELECT 1 FROM runs WHERE id = :run")
            .bind("run", run)
            .mapTo(Integer.class)
            .findOne()
            .isPresent()
        ? CancelAnswer.FINISHED_ALREADY
        : CancelAnswer.UNKNOWN_RUN;
  }
}
