package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.postgres.Database;
import dev.slipway.testbed.PostgresVersion;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrateMainTest {
  @TempDir Path data;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void a_server_that_does_not_migrate_starts_after_the_migration_and_not_before() {
    TestDatabase database = TestPostgres.freshDatabase();
    assertThatThrownBy(() -> start(database).close())
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("has schema version 0, this Slipway needs ")
        .hasMessageContaining("--migrate never")
        .hasMessageContaining("Run 'slipway migrate'");

    assertThat(migrate(database, "--check")).isEqualTo(2);
    assertThat(text()).contains("would be brought from version 0 to ").contains("  1 trunk\n");
    assertThat(migrate(database)).isZero();
    assertThat(text()).contains("was brought from version 0 to ").contains("  1 trunk\n");
    assertThat(migrate(database)).isZero();
    assertThat(text()).contains("is up to date: version ");
    assertThat(migrate(database, "--check")).isZero();

    start(database).close();
  }

  @Test
  void a_server_that_is_too_old_is_refused() {
    TestDatabase database = TestPostgres.freshDatabase(PostgresVersion.V14);
    assertThatThrownBy(() -> migrate(database, "--check"))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("Slipway needs 15 or newer");
  }

  @Test
  void the_embedded_database_is_migrated_while_its_server_is_stopped() {
    assertThat(run("--check", "--data", data.toString())).isZero();
    assertThat(text()).contains("There is no database in " + data + " yet");
    try (Running running = Running.embedded(data, Optional.empty())) {
      assertThatThrownBy(() -> run("--data", data.toString()))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("in use by another Slipway server");
    }
    assertThat(run("--data", data.toString())).isZero();
    assertThat(text()).contains("is up to date: version ");
  }

  @Test
  void arguments_that_it_does_not_know_are_refused() {
    assertThatThrownBy(() -> run("--chek"))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("unknown option '--chek'");
    assertThatThrownBy(() -> Options.parse(List.of("--migrate", "later"), name -> null))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("--migrate takes auto or never, not 'later'");
  }

  private SlipwayServer start(TestDatabase database) {
    return SlipwayServer.start(
        new Options(
            Optional.empty(),
            data,
            "127.0.0.1",
            0,
            Optional.of(Running.url(database)),
            Optional.empty(),
            Database.Migrate.NEVER,
            Options.Cluster.NONE,
            Optional.empty()));
  }

  private int migrate(TestDatabase database, String... more) {
    return run(
        Stream.concat(
                Stream.of("--database", database.jdbcUrl() + "?user=" + database.user()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  private int run(String... arguments) {
    out.reset();
    return MigrateMain.run(
        List.of(arguments), name -> null, new PrintStream(out, true, StandardCharsets.UTF_8));
  }

  private String text() {
    return out.toString(StandardCharsets.UTF_8);
  }
}
