package dev.slipway.postgres.modules;

import dev.slipway.postgres.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** The Terraform states stored for the modules of a resource, and restoring one of them. */
public final class ModuleHistory {
  private final Jdbi jdbi;

  public ModuleHistory(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** The role of a stored state. */
  public enum Role {
    CURRENT,
    EARLIER,
    /** Written by a step that had lost its lock; never used. */
    REFUSED
  }

  /** A stored state; its content stays sealed. */
  public record Version(
      String module,
      long version,
      Role role,
      UUID run,
      String step,
      Instant writtenAt,
      int bytes) {}

  /** The result of a restore. */
  public sealed interface Restored {
    /** The next step of this module starts from that state. */
    record Done(String module, long version, @Nullable Long before) implements Restored {}

    /** A step is working on the module. */
    record Locked(String module, UUID run, String step) implements Restored {}

    /** There is no such state; these are stored. */
    record Unknown(List<Version> kept) implements Restored {}
  }

  /** Module by module, newest first. */
  public List<Version> of(UUID resource) {
    return jdbi.withHandle(h -> of(h, resource));
  }

  private static List<Version> of(Handle handle, UUID resource) {
    return handle
        .createQuery(
            """
            SELECT s.workspace, s.version, s.refused, s.run_id, s.step, s.written_at,
                   length(s.state) AS bytes, s.version IS NOT DISTINCT FROM w.version AS current
              FROM module_workspaces w JOIN module_states s ON s.workspace = w.key
             WHERE w.resource_id = ?
             ORDER BY s.workspace, s.version DESC
            """)
        .bind(0, resource)
        .map((rs, _) -> version(rs))
        .list();
  }

  /**
   * Makes a stored state the one that the next step starts from. Refused while the run that holds
   * the workspace has not ended. The lock of a run that has ended is released: otherwise a later
   * step would recover the state that this run left on its disk, which the restore is to replace.
   */
  public Restored restore(UUID resource, Optional<String> module, long version) {
    return jdbi.inTransaction(
        h -> {
          List<Version> kept = of(h, resource);
          List<Version> meant =
              kept.stream()
                  .filter(v -> v.version() == version)
                  .filter(v -> module.isEmpty() || v.module().equals(module.get()))
                  .toList();
          return meant.size() == 1 ? restore(h, meant.getFirst()) : new Restored.Unknown(kept);
        });
  }

  private record Row(@Nullable Long version, @Nullable UUID lockRun, @Nullable String lockStep) {}

  private static Restored restore(Handle handle, Version meant) {
    Row row =
        handle
            .createQuery("SELECT * FROM module_workspaces WHERE key = ? FOR UPDATE")
            .bind(0, meant.module())
            .map(
                (rs, _) ->
                    new Row(
                        rs.getObject("version", Long.class),
                        rs.getObject("lock_run", UUID.class),
                        rs.getString("lock_step")))
            .one();
    if (row.lockRun() != null && underWay(handle, row.lockRun())) {
      return new Restored.Locked(meant.module(), row.lockRun(), String.valueOf(row.lockStep()));
    }
    handle.execute(
        """
        UPDATE module_workspaces
           SET version = ?, lock_id = NULL, lock_run = NULL, lock_step = NULL, lock_epoch = NULL,
               locked_at = NULL
         WHERE key = ?
        """,
        meant.version(),
        meant.module());
    return new Restored.Done(meant.module(), meant.version(), row.version());
  }

  private static boolean underWay(Handle handle, UUID run) {
    return handle
            .createQuery(
                "SELECT count(*) FROM runs WHERE id = ? AND state IN ('pending', 'running', 'waiting')")
            .bind(0, run)
            .mapTo(Long.class)
            .one()
        > 0;
  }

  private static Version version(ResultSet rs) throws SQLException {
    Role role =
        rs.getBoolean("current")
            ? Role.CURRENT
            : rs.getBoolean("refused") ? Role.REFUSED : Role.EARLIER;
    return new Version(
        rs.getString("workspace"),
        rs.getLong("version"),
        role,
        rs.getObject("run_id", UUID.class),
        rs.getString("step"),
        Columns.time(rs, "written_at"),
        rs.getInt("bytes"));
  }
}
