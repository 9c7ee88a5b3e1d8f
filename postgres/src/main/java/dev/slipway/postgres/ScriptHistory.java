package dev.slipway.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.database.postgresql.PostgreSQLConfigurationExtension;

/** The scripts of the trunk or of one branch, and which of them a database has applied. */
final class ScriptHistory {
  private final Scripts scripts;
  private final Flyway flyway;

  ScriptHistory(DataSource connections, Scripts scripts) {
    this.scripts = scripts;
    // A branch's history begins in a schema that already has the trunk's tables.
    this.flyway =
        Flyway.configure()
            .dataSource(connections)
            .locations(scripts.location())
            .table(scripts.history())
            .baselineOnMigrate(!trunk())
            .baselineVersion("0")
            .load();
    // A session lock: a concurrent index build would wait for an open transaction.
    flyway
        .getConfigurationExtension(PostgreSQLConfigurationExtension.class)
        .setTransactionalLock(false);
  }

  private boolean trunk() {
    return scripts.history().equals(Scripts.TRUNK.history());
  }

  void migrate() {
    flyway.migrate();
  }

  /** Pending scripts, including one that failed outside a transaction. */
  Stream<String> pending() {
    return Arrays.stream(flyway.info().all())
        .filter(m -> m.getState() == MigrationState.PENDING || m.getState().isFailed())
        .map(
            m ->
                (trunk() ? "" : scripts.owner() + " ") + m.getVersion() + " " + m.getDescription());
  }

  Optional<MigrationVersion> applied() {
    return Optional.ofNullable(flyway.info().current()).map(MigrationInfo::getVersion);
  }

  MigrationVersion newestKnown() {
    MigrationVersion newest = MigrationVersion.EMPTY;
    for (MigrationInfo info : flyway.info().all()) {
      if (info.getState().isResolved() && info.getVersion().compareTo(newest) > 0) {
        newest = info.getVersion();
      }
    }
    return newest;
  }

  void refuseNewer(Database.Address address) {
    MigrationVersion known = newestKnown();
    Optional<MigrationVersion> applied = applied();
    if (applied.isPresent() && applied.get().compareTo(known) > 0) {
      throw new DatabaseException(
          "the database at %s has schema version %s%s, which is newer than the %s that this Slipway supports. Start the newer Slipway, or restore a backup made before the upgrade."
              .formatted(address, applied.get(), trunk() ? "" : " of " + scripts.owner(), known),
          null);
    }
  }

  /** Deletes history rows of scripts that failed outside a transaction, so that they run again. */
  void forgetFailed(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (statement
          .executeQuery("SELECT 1 WHERE to_regclass('%s') IS NOT NULL".formatted(scripts.history()))
          .next()) {
        statement.execute("DELETE FROM %s WHERE NOT success".formatted(scripts.history()));
      }
    }
  }
}
