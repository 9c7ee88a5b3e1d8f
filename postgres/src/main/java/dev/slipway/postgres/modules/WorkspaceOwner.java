package dev.slipway.postgres.modules;

import dev.slipway.engine.execute.ModuleStates.Workspace;
import org.jdbi.v3.core.Handle;

/**
 * The team that owns a workspace: that of the run which wrote the current state, else that of the
 * run which holds the lock; an object and all its runs have the same team. A document may choose a
 * workspace's name, so it must not reach a state that another team's run wrote.
 */
final class WorkspaceOwner {
  private static final String FOREIGN =
      """
      SELECT coalesce(writer.team, holder.team, :team) <> :team
        FROM module_workspaces w
        LEFT JOIN module_states s ON s.workspace = w.key AND s.version = w.version
        LEFT JOIN runs writer ON writer.id = s.run_id
        LEFT JOIN runs holder ON holder.id = w.lock_run
       WHERE w.key = :key
      """;

  private WorkspaceOwner() {}

  static boolean isForeign(Handle handle, Workspace workspace) {
    return handle
        .createQuery(FOREIGN)
        .bind("key", workspace.key())
        .bind("team", workspace.team())
        .mapTo(Boolean.class)
        .findOne()
        .orElse(false);
  }
}
