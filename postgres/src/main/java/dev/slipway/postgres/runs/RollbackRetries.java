package dev.slipway.postgres.runs;

import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.execute.StepRecord;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.value.EncryptionContext;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * Tries an incomplete rollback again: a new rollback run of the same failed run, with the order and
 * the values that the last one had, that takes over what it has undone. The failed run is not
 * written: how its undoing stands follows from its newest rollback run.
 *
 * <p>The transaction holds the failed run and its node, so that neither a second retry nor a new
 * run of the node begins beside it.
 */
public final class RollbackRetries {
  private static final String FAILED =
      """
      SELECT r.*,
             EXISTS (SELECT 1 FROM runs again
                      WHERE again.parent_run_id = r.id
                        AND again.kind NOT IN ('child', 'rollback')) AS retried
        FROM runs r WHERE r.id = :run FOR NO KEY UPDATE
      """;

  private static final String LAST =
      """
      SELECT * FROM runs WHERE parent_run_id = :run AND kind = 'rollback'
       ORDER BY finished_at IS NULL DESC, created_at DESC, id DESC LIMIT 1
      """;

  private static final String DONE =
      "SELECT * FROM steps WHERE run_id = :run AND state IN ('succeeded', 'skipped') ORDER BY name";

  private final Jdbi jdbi;
  private final Map<String, InCharge> inCharge;

  /** A branch answers for the nodes below its kind of root, by the prefix of that kind. */
  public RollbackRetries(Jdbi jdbi, Map<String, InCharge> inCharge) {
    this.jdbi = jdbi;
    this.inCharge = Map.copyOf(inCharge);
  }

  /**
   * Whether a failed run is still the last one of its node. Locks the node, so that no other run of
   * it begins before the end of the transaction.
   */
  public interface InCharge {
    boolean holds(Handle tx, UUID node, UUID run);
  }

  /** The rollback run before: what the new one takes over. */
  public record Last(NewRun.Inputs inputs, NewRun.Subject subject, List<StepRecord> done) {}

  private record Failed(
      NewRun.Kind kind,
      RunWrite.@Nullable Rollback rollback,
      NewRun.Subject subject,
      boolean retried) {}

  /** Makes the new run in one transaction with the checks, by inserting what {@code make} gives. */
  public UUID retry(UUID run, Function<Last, UUID> make) {
    return jdbi.inTransaction(
        handle -> {
          Failed failed =
              handle
                  .createQuery(FAILED)
                  .bind("run", run)
                  .map((rs, _) -> failed(rs))
                  .findOne()
                  .orElseThrow(() -> conflict("run " + run + " is gone", null));
          check(handle, run, failed);
          return make.apply(last(handle, run));
        });
  }

  /** Makes a run that continues the failed one, unless that is being rolled back. */
  public UUID beside(UUID run, Supplier<UUID> make) {
    return jdbi.inTransaction(
        handle -> {
          handle.execute("SELECT 1 FROM runs WHERE id = ? FOR NO KEY UPDATE", run);
          handle
              .createQuery(LAST)
              .bind("run", run)
              .map((rs, _) -> rs.getString("finished_at") == null ? rs.getString("id") : "")
              .findOne()
              .filter(undoing -> !undoing.isEmpty())
              .ifPresent(
                  undoing -> {
                    throw conflict("run " + run + " is being undone by run " + undoing, null);
                  });
          return make.get();
        });
  }

  private void check(Handle handle, UUID run, Failed failed) {
    if (failed.kind().belongsToAnother()) {
      throw conflict(
          "run " + run + " belongs to another run",
          "Retry the rollback of the run that it belongs to.");
    }
    if (failed.rollback() != RunWrite.Rollback.INCOMPLETE) {
      throw conflict(
          "run " + run + " has no rollback that is incomplete",
          "Retry the run itself, without --rollback.");
    }
    if (failed.retried()) {
      throw conflict(
          "run " + run + " was retried since: undoing it would undo what the later run uses", null);
    }
    UUID node = failed.subject().nodeId();
    if (node != null && !inCharge(failed.subject()).holds(handle, node, run)) {
      throw conflict(
          "run " + run + " is no longer the last one of its resource",
          "What it left behind may be in use by a later run.");
    }
  }

  private InCharge inCharge(NewRun.Subject subject) {
    NodeRef root = subject.rootRef();
    InCharge answers = root == null ? null : inCharge.get(root.prefix());
    if (answers == null) {
      throw conflict(
          "this server cannot tell whether the run is the last one of " + subject.nodeName(),
          "Ask a replica that has " + root + ".");
    }
    return answers;
  }

  private static Last last(Handle handle, UUID run) {
    return handle
        .createQuery(LAST)
        .bind("run", run)
        .map((rs, _) -> last(handle, run, rs))
        .findOne()
        .orElseThrow(
            () ->
                conflict(
                    "run " + run + " was undone by an older version of Slipway, in itself",
                    "Undo what is left by hand."));
  }

  private static Last last(Handle handle, UUID run, ResultSet rs) throws SQLException {
    return switch (State.parse(RunState.class, rs.getString("state"))) {
      case PENDING, RUNNING, WAITING ->
          throw conflict("run " + run + " is being undone by run " + rs.getString("id"), null);
      case SUCCEEDED -> throw conflict("run " + run + " is undone already", null);
      case FAILED, PARTIAL, CANCELLED -> undone(handle, rs);
    };
  }

  private static Last undone(Handle handle, ResultSet rs) throws SQLException {
    UUID run = rs.getObject("id", UUID.class);
    List<StepRecord> done =
        handle
            .createQuery(DONE)
            .bind("run", run)
            .map((row, context) -> Claims.step(row).carried())
            .list();
    EncryptionContext row = EncryptionContext.run(run);
    return new Last(Trees.inputs(rs.getString("inputs"), row), SubjectColumns.read(rs), done);
  }

  private static Failed failed(ResultSet rs) throws SQLException {
    String rollback = rs.getString("rollback");
    return new Failed(
        State.parse(NewRun.Kind.class, rs.getString("kind")),
        rollback == null ? null : State.parse(RunWrite.Rollback.class, rollback),
        SubjectColumns.read(rs),
        rs.getBoolean("retried"));
  }

  private static RefusedException conflict(String message, @Nullable String hint) {
    return RefusedException.conflict("rollback-not-retried", message, hint);
  }
}
