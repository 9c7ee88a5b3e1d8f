package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.postgres.RootColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The columns of runs that say what a run is for. The columns of schema 1 bear the names of the
 * first kinds of root, node and request; replicas of schema 12 read and write them. Rows that such
 * a replica has finished have no references.
 */
public final class SubjectColumns {
  private SubjectColumns() {}

  /** Without the key: no turn waits for the run. */
  public static NewRun.Subject read(ResultSet rs) throws SQLException {
    return new NewRun.Subject(root(rs), node(rs), rs.getObject("deployment_id", UUID.class), null);
  }

  /** With the key of the reconcile loop. */
  static NewRun.Subject withKey(ResultSet rs) throws SQLException {
    NewRun.Subject subject = read(rs);
    return new NewRun.Subject(subject.root(), subject.node(), subject.request(), key(rs));
  }

  private static NewRun.@Nullable Part root(ResultSet rs) throws SQLException {
    UUID id = rs.getObject("application_id", UUID.class);
    NodeRef ref = rootRef(rs);
    return id == null || ref == null ? null : NewRun.Part.of(ref, id);
  }

  static @Nullable NodeRef rootRef(ResultSet rs) throws SQLException {
    String text = rs.getString("root");
    return text == null
        ? RootColumn.ref(rs.getString(RootColumn.NAME), rs.getString("environment"))
        : NodeRef.parse(text).orElseThrow();
  }

  private static NewRun.@Nullable Part node(ResultSet rs) throws SQLException {
    UUID id = rs.getObject("resource_id", UUID.class);
    String text = rs.getString("node");
    return id == null
        ? null
        : new NewRun.Part(
            text == null ? null : NodeRef.parse(text).orElseThrow(),
            id,
            rs.getString("resource"),
            rs.getString("resource_type"));
  }

  private static NewRun.@Nullable Key key(ResultSet rs) throws SQLException {
    String kind = rs.getString("subject_kind");
    return kind == null
        ? null
        : new NewRun.Key(
            kind, rs.getString("subject_key"), rs.getString("item"), rs.getString("cause"));
  }
}
