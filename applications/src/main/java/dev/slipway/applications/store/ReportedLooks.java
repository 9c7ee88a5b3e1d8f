package dev.slipway.applications.store;

import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What runs found that looked at resources. */
final class ReportedLooks {
  private static final String LOOKS =
      Reported.COLUMNS
          + " JOIN runs run ON run.resource_id = r.id"
          + " WHERE run.id = ANY (?) AND run.operation = 'read' AND run.report IS NOT NULL"
          // A look that began before the end of the last run may have seen its work half done.
          + " AND NOT EXISTS (SELECT 1 FROM runs charge"
          + " WHERE charge.id = r.run_id AND charge.finished_at > run.created_at)"
          + " ORDER BY r.id, run.id FOR NO KEY UPDATE OF r";

  private static final String STILL_SO =
      "SELECT c.run FROM resources r JOIN unnest(?::uuid[], ?::uuid[], ?::text[]) AS c (id, run, seen)"
          + " ON r.id = c.id AND r.outputs = c.seen::jsonb";

  private ReportedLooks() {}

  private record Look(Reported found, Map<String, @Nullable Object> compared) {}

  /** Of runs that looked at resources: those whose resource has the outputs they compared with. */
  static List<Reported> of(Connection connection, SecretBox box, Collection<UUID> runs)
      throws SQLException {
    List<Look> looks = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(LOOKS)) {
      select.setArray(1, connection.createArrayOf("uuid", runs.toArray()));
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          UUID run = rows.getObject("run_id", UUID.class);
          looks.add(
              new Look(
                  Reported.map(rows), Columns.tree(rows, "compared", EncryptionContext.run(run))));
        }
      }
    }
    if (looks.isEmpty()) {
      return List.of();
    }
    List<UUID> valid = stillSo(connection, box, looks);
    return looks.stream().map(Look::found).filter(f -> valid.contains(f.run())).toList();
  }

  private static List<UUID> stillSo(Connection connection, SecretBox box, List<Look> looks)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(STILL_SO)) {
      Rows.bind(connection, select, looks)
          .column("uuid", l -> l.found().resource())
          .column("uuid", l -> l.found().run())
          .sealed(box, l -> SealedRows.resource(l.found().resource()), Look::compared);
      try (ResultSet rows = select.executeQuery()) {
        List<UUID> runs = new ArrayList<>();
        while (rows.next()) {
          runs.add(rows.getObject(1, UUID.class));
        }
        return runs;
      }
    }
  }
}
