package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.ApprovalDesk;
import dev.slipway.engine.execute.RefusedWriteException;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.lifecycle.ApprovalState;
import dev.slipway.postgres.Faults;
import dev.slipway.postgres.RootColumn;
import dev.slipway.postgres.events.EventLog;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;

/** Approval requests of steps, in the approvals table. */
public final class PostgresApprovalDesk implements ApprovalDesk {
  private final Jdbi jdbi;
  private final Supplier<UUID> ids;

  /** New questions get their ids from there. */
  public PostgresApprovalDesk(Jdbi jdbi, Supplier<UUID> ids) {
    this.jdbi = jdbi;
    this.ids = ids;
  }

  @Override
  public Answer ask(Question question, Instant now) {
    try {
      return jdbi.inTransaction(h -> asked(h, question, now));
    } catch (UnableToExecuteStatementException e) {
      if (e.getCause() instanceof SQLException fault && Faults.content(fault)) {
        throw new RefusedWriteException(String.valueOf(fault.getMessage()), e);
      }
      throw e;
    }
  }

  private Answer asked(Handle handle, Question question, Instant now) {
    List<Event> events = new ArrayList<>();
    UUID id = ids.get();
    if (insert(handle, id, question, now) == 1) {
      // A question about other inputs is not a question about these.
      withdraw(handle, question.run(), question.step(), question.hash(), now);
      refuseFormerOwner(handle, question);
      events.add(event(handle, "approval.requested", id, question, now));
    }
    AskedApproval row = AskedApproval.find(handle, question);
    if (row.state() == ApprovalState.PENDING && !row.expiresAt().isAfter(now)) {
      handle.execute(
          "UPDATE approvals SET state = 'expired', decided_at = ? WHERE id = ?", now, row.id());
      events.add(event(handle, "approval.expired", row.id(), question, now));
      row = AskedApproval.find(handle, question);
    }
    Answer answer = row.answer(handle);
    EventLog.append(handle, events);
    return answer;
  }

  /**
   * The next owner may have withdrawn all questions by now, and would miss this one. Locks the run
   * after the question, in the same order as a decision does.
   */
  private static void refuseFormerOwner(Handle handle, Question question) {
    boolean lost =
        handle
            .createQuery("SELECT epoch > :epoch FROM runs WHERE id = :run FOR SHARE")
            .bind("epoch", question.epoch())
            .bind("run", question.run())
            .mapTo(Boolean.class)
            .findOne()
            .orElse(false);
    if (lost) {
      throw new IllegalStateException("run " + question.run() + " has passed to another owner");
    }
  }

  @Override
  public void withdraw(UUID run, String step, Instant now) {
    jdbi.useHandle(
        h -> {
          awaitCommits(h, run);
          withdraw(h, run, step, "", now);
        });
  }

  /**
   * The step may have been interrupted while its question was being committed. Waits for that
   * transaction by locking the run, and releases the lock at once.
   */
  private static void awaitCommits(Handle handle, UUID run) {
    handle
        .createQuery("SELECT 1 FROM runs WHERE id = :run FOR NO KEY UPDATE")
        .bind("run", run)
        .mapTo(Integer.class)
        .findOne();
  }

  private static void withdraw(Handle handle, UUID run, String step, String but, Instant now) {
    handle.execute(
        """
        UPDATE approvals SET state = 'void', decided_at = ?
         WHERE run_id = ? AND step = ? AND state = 'pending' AND hash <> ?
        """,
        now,
        run,
        step,
        but);
  }

  private static int insert(Handle handle, UUID id, Question question, Instant now) {
    return handle
        .createUpdate(
            """
            INSERT INTO approvals (id, kind, run_id, step, application, environment, team, hash,
                                   message, users, teams, roles, required, allow_self,
                                   requested_by, state, expires_at, created_at)
            VALUES (:id, 'step', :run, :step, :root, :environment, :team, :hash,
                    :message, :users, :teams, :roles, :required, :allowSelf,
                    :requestedBy, 'pending', :expiresAt, :now)
            ON CONFLICT DO NOTHING
            """)
        .bind("id", id)
        .bind("run", question.run())
        .bind("step", question.step())
        .bind("root", RootColumn.text(question.root()))
        .bind("environment", question.environment())
        .bind("team", question.team())
        .bind("hash", question.hash())
        .bind("message", question.message())
        .bind("users", question.users().toArray(String[]::new))
        .bind("teams", question.teams().toArray(String[]::new))
        .bind("roles", question.roles().toArray(String[]::new))
        .bind("required", question.required())
        .bind("allowSelf", question.self() == Self.ALLOWED)
        .bind("requestedBy", question.requestedBy())
        .bind("expiresAt", now.plus(question.expires()))
        .bind("now", now)
        .execute();
  }

  private static Event event(Handle handle, String type, UUID id, Question question, Instant now) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("approvalId", id.toString());
    data.put("runId", question.run().toString());
    if (question.root() == null) {
      handle
          .createQuery("SELECT " + RunLineage.rootOf(":run"))
          .bind("run", question.run())
          .mapTo(String.class)
          .findOne()
          .ifPresent(root -> data.put("rootRunId", root));
    }
    data.put("step", question.step());
    data.put("message", question.message());
    data.put("required", (long) question.required());
    return new Event(
        type, question.root(), question.environment(), question.team(), "engine", now, data);
  }
}
