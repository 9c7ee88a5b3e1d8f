package dev.slipway.postgres.modules;

import dev.slipway.engine.execute.ModuleStates.Holder;
import dev.slipway.engine.execute.ModuleStates.Lock;
import dev.slipway.engine.execute.ModuleStates.Workspace;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The current state version of a workspace, and its lock. */
record WorkspaceRow(@Nullable Long version, @Nullable Lock lock) {
  /** The row, inserted if missing, and locked until the end of the transaction. */
  static WorkspaceRow locked(Handle handle, Workspace workspace) {
    return handle
        .createQuery(
            """
            INSERT INTO module_workspaces AS w (key, provider, resource_id)
            VALUES (:key, :provider, :resource)
            ON CONFLICT (key) DO UPDATE SET provider = w.provider
            RETURNING *
            """)
        .bind("key", workspace.key())
        .bind("provider", workspace.provider())
        .bind("resource", workspace.resource())
        .map((rs, _) -> row(rs))
        .one();
  }

  static @Nullable UUID lockOf(Handle handle, String key) {
    return handle
        .createQuery("SELECT * FROM module_workspaces WHERE key = ? FOR UPDATE")
        .bind(0, key)
        .map((rs, _) -> row(rs))
        .findOne()
        .map(WorkspaceRow::lock)
        .map(Lock::id)
        .orElse(null);
  }

  private static WorkspaceRow row(ResultSet rs) throws SQLException {
    UUID id = rs.getObject("lock_id", UUID.class);
    Long version = rs.getObject("version", Long.class);
    if (id == null) {
      return new WorkspaceRow(version, null);
    }
    Holder holder =
        new Holder(
            rs.getObject("lock_run", UUID.class),
            rs.getString("lock_step"),
            rs.getLong("lock_epoch"));
    return new WorkspaceRow(version, new Lock(rs.getString("key"), id, holder));
  }
}
