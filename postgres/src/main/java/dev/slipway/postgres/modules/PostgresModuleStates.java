package dev.slipway.postgres.modules;

import dev.slipway.engine.execute.ModuleStates;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Columns;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Terraform states in two tables: workspaces with their locks, and the state versions. */
public final class PostgresModuleStates implements ModuleStates {
  /** How many states of a workspace are stored. */
  static final int HISTORY = 10;

  private final Jdbi jdbi;
  private final SealedBytes sealed;
  private final Supplier<UUID> ids;

  /** {@code box} seals states; {@code ids} creates lock ids. */
  public PostgresModuleStates(Jdbi jdbi, SecretBox box, Supplier<UUID> ids) {
    this.jdbi = jdbi;
    this.sealed = new SealedBytes(box);
    this.ids = ids;
  }

  @Override
  public Claim claim(Workspace workspace, Holder holder, Instant now) {
    return jdbi.inTransaction(
        h -> {
          WorkspaceRow row = WorkspaceRow.locked(h, workspace);
          if (WorkspaceOwner.isForeign(h, workspace)) {
            return new Claim.Foreign();
          }
          if (superseded(h, holder)) {
            return new Claim.Fenced();
          }
          Optional<Claim> refusal = respected(h, row, holder);
          if (refusal.isPresent()) {
            return refusal.get();
          }
          return switch (state(h, workspace.key(), row.version())) {
            case Glance.Missing missing -> new Claim.Missing(missing.kept());
            case Glance.None _ -> take(h, workspace, row, holder, Optional.empty(), now);
            case Glance.Foreign _ -> new Claim.Foreign();
            case Glance.State found ->
                take(h, workspace, row, holder, Optional.of(found.bytes()), now);
          };
        });
  }

  private Claim take(
      Handle handle,
      Workspace workspace,
      WorkspaceRow row,
      Holder holder,
      Optional<byte[]> state,
      Instant now) {
    Lock lock = new Lock(workspace.key(), ids.get(), holder);
    handle.execute(
        """
        UPDATE module_workspaces
           SET lock_id = ?, lock_run = ?, lock_step = ?, lock_epoch = ?, locked_at = ?
         WHERE key = ?
        """,
        lock.id(),
        holder.run(),
        holder.step(),
        holder.epoch(),
        now,
        workspace.key());
    return new Claim.Held(lock, state, Optional.ofNullable(row.lock()));
  }

  /** Whether another owner has claimed the run since this step was called. */
  private static boolean superseded(Handle handle, Holder holder) {
    return handle
        .createQuery("SELECT epoch > :epoch FROM runs WHERE id = :run")
        .bind("epoch", holder.epoch())
        .bind("run", holder.run())
        .mapTo(Boolean.class)
        .findOne()
        .orElse(false);
  }

  /** The lock of another holder, if it must be respected. */
  private static Optional<Claim> respected(Handle handle, WorkspaceRow row, Holder holder) {
    if (row.lock() == null) {
      return Optional.empty();
    }
    Holder by = row.lock().holder();
    boolean ownFormerSelf =
        by.run().equals(holder.run())
            && (by.step().equals(holder.step()) || by.epoch() < holder.epoch());
    return ownFormerSelf ? Optional.empty() : busy(handle, by);
  }

  /** Empty when the holder's run has ended or no longer exists. */
  private static Optional<Claim> busy(Handle handle, Holder by) {
    return handle
        .createQuery(
            """
            SELECT r.workflow, r.created_by, w.locked_at
              FROM runs r JOIN module_workspaces w ON w.lock_run = r.id AND w.lock_step = :step
             WHERE r.id = :run AND r.state IN ('pending', 'running', 'waiting')
             ORDER BY w.locked_at LIMIT 1
            """)
        .bind("run", by.run())
        .bind("step", by.step())
        .map(
            (rs, _) ->
                (Claim)
                    new Claim.Busy(
                        by, rs.getString(1), rs.getString(2), Columns.time(rs, "locked_at")))
        .findOne();
  }

  @Override
  public Glance look(Workspace workspace) {
    return jdbi.inTransaction(
        h -> {
          if (WorkspaceOwner.isForeign(h, workspace)) {
            return new Glance.Foreign();
          }
          @Nullable Long version =
              h.createQuery("SELECT version FROM module_workspaces WHERE key = ?")
                  .bind(0, workspace.key())
                  .mapTo(Long.class)
                  .findOne()
                  .orElse(null);
          return state(h, workspace.key(), version);
        });
  }

  /** A workspace that points at no state, or at a missing one, has lost it if it ever had any. */
  private Glance state(Handle handle, String key, @Nullable Long version) {
    Optional<byte[]> bytes =
        handle
            .createQuery("SELECT state FROM module_states WHERE workspace = :key AND version = :v")
            .bind("key", key)
            .bind("v", version)
            .mapTo(byte[].class)
            .findOne();
    if (bytes.isPresent()) {
      return new Glance.State(sealed.open(bytes.get(), EncryptionContext.moduleState(key)));
    }
    List<Long> kept =
        handle
            .createQuery(
                "SELECT version FROM module_states WHERE workspace = ? AND NOT refused"
                    + " ORDER BY version DESC")
            .bind(0, key)
            .mapTo(Long.class)
            .list();
    return version == null && kept.isEmpty()
        ? new Glance.None()
        : new Glance.Missing(kept.isEmpty() ? "none" : kept.toString().replaceAll("[\\[\\]]", ""));
  }

  @Override
  public Written write(Lock lock, byte[] state, Instant now) {
    byte[] bytes = sealed.seal(state, EncryptionContext.moduleState(lock.key()));
    return jdbi.inTransaction(
        h -> {
          boolean ours = lock.id().equals(WorkspaceRow.lockOf(h, lock.key()));
          long version = version(h, lock, ours);
          put(h, lock, version, ours, bytes, now);
          if (!ours) {
            return Written.REFUSED;
          }
          h.execute("UPDATE module_workspaces SET version = ? WHERE key = ?", version, lock.key());
          h.execute(
              """
              DELETE FROM module_states WHERE workspace = ? AND version IN
                (SELECT version FROM module_states WHERE workspace = ?
                  ORDER BY version DESC OFFSET ?)
              """,
              lock.key(),
              lock.key(),
              HISTORY);
          return Written.KEPT;
        });
  }

  /**
   * The version that this lock writes; a write after the lock was lost gets a refused version of
   * its own.
   */
  private static long version(Handle handle, Lock lock, boolean ours) {
    return handle
        .createQuery(
            """
            SELECT coalesce(max(version) FILTER (WHERE lock_id = :lock AND refused <> :ours),
                            max(version) + 1, 1)
              FROM module_states WHERE workspace = :key
            """)
        .bind("lock", lock.id())
        .bind("ours", ours)
        .bind("key", lock.key())
        .mapTo(Long.class)
        .one();
  }

  private static void put(
      Handle handle, Lock lock, long version, boolean ours, byte[] bytes, Instant now) {
    handle
        .createUpdate(
            """
            INSERT INTO module_states (workspace, version, lock_id, run_id, step, refused, state,
                                       written_at)
            VALUES (:key, :version, :lock, :run, :step, NOT :ours, :state, :now)
            ON CONFLICT (workspace, version)
            DO UPDATE SET state = excluded.state, written_at = excluded.written_at
            """)
        .bind("key", lock.key())
        .bind("version", version)
        .bind("lock", lock.id())
        .bind("run", lock.holder().run())
        .bind("step", lock.holder().step())
        .bind("ours", ours)
        .bind("state", bytes)
        .bind("now", now)
        .execute();
  }

  @Override
  public boolean release(Lock lock) {
    return jdbi.withHandle(
        h ->
            h.execute(
                    """
                    UPDATE module_workspaces
                       SET lock_id = NULL, lock_run = NULL, lock_step = NULL, lock_epoch = NULL,
                           locked_at = NULL
                     WHERE key = ? AND lock_id = ?
                    """,
                    lock.key(),
                    lock.id())
                == 1);
  }

  @Override
  public boolean forget(Lock lock) {
    return jdbi.inTransaction(
        h -> {
          boolean ours =
              h.execute(
                      "DELETE FROM module_workspaces WHERE key = ? AND lock_id = ?",
                      lock.key(),
                      lock.id())
                  == 1;
          if (ours) {
            h.execute("DELETE FROM module_states WHERE workspace = ?", lock.key());
          }
          return ours;
        });
  }
}
