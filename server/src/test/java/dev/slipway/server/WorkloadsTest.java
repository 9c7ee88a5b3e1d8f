package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.embedded.EmbeddedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Databases of applications live in a PostgreSQL of their own, each closed to the others and all of
 * them apart from the state of record.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkloadsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir static Path data;
  private Running running;
  private Deployer deployer;

  @BeforeAll
  void start() {
    start(Running.embedded(data, Optional.empty()));
    assertThat(data.resolve("workloads")).as("not started before it is needed").doesNotExist();
    assertThat(checks()).doesNotContainKey("workloads");
    deployer.deploy(Deployer.score("victim", "db", "{}"));
    deployer.deploy(Deployer.score("attacker", "db", "{}"));
  }

  private void start(Running server) {
    running = server;
    deployer = new Deployer(running);
  }

  @AfterAll
  void stop() {
    running.close();
  }

  @Test
  void the_state_of_record_holds_no_database_and_no_role_of_an_application() throws Exception {
    assertThat(list(state(), "SELECT datname FROM pg_database"))
        .containsExactlyInAnyOrder("postgres", "template0", "template1");
    assertThat(list(state(), "SELECT rolname FROM pg_roles WHERE rolcanlogin"))
        .containsExactly("slipway");
    assertThat(String.valueOf(victim().get("port"))).isNotEqualTo(read("pg.port"));
    assertThat(
            list(
                workloads(),
                "SELECT rolname || rolsuper FROM pg_roles WHERE rolname = 'slipway_workloads'"))
        .as("the login of steps")
        .containsExactly("slipway_workloadsfalse");
  }

  @Test
  void an_application_role_cannot_log_in_to_the_state_database() {
    Map<String, Object> elsewhere = new java.util.LinkedHashMap<>(attacker());
    elsewhere.put("port", read("pg.port"));
    for (String database : List.of("postgres", "template1", "slipway")) {
      assertThatThrownBy(() -> Deployer.connect(elsewhere, database))
          .hasMessageContaining("password authentication failed");
    }
  }

  @Test
  void roles_that_an_earlier_version_made_beside_the_state_cannot_connect_to_it() throws Exception {
    try (Connection connection = state()) {
      connection.createStatement().execute("CREATE ROLE leftover LOGIN PASSWORD 'x'");
      try {
        for (String database : List.of("postgres", "template1")) {
          assertThatThrownBy(
                  () ->
                      DriverManager.getConnection(
                          "jdbc:postgresql://127.0.0.1:" + read("pg.port") + "/" + database,
                          "leftover",
                          "x"))
              .hasMessageContaining("permission denied for database");
        }
      } finally {
        connection.createStatement().execute("DROP ROLE leftover");
      }
    }
  }

  @Test
  void an_application_role_connects_to_its_own_database_only() throws Exception {
    try (Connection own = Deployer.connect(attacker())) {
      own.createStatement().execute("CREATE TABLE mine (id int)");
      own.createStatement().execute("DROP TABLE mine");
    }
    for (String other :
        List.of(String.valueOf(victim().get("database")), "postgres", "template1")) {
      assertThatThrownBy(() -> Deployer.connect(attacker(), other))
          .hasMessageContaining("permission denied for database");
    }
    assertThatThrownBy(() -> Deployer.connect(attacker(), "template0"))
        .hasMessageContaining("not currently accepting connections");
  }

  @Test
  void an_application_role_gets_no_further_from_inside() throws Exception {
    String other = String.valueOf(victim().get("username"));
    String own = String.valueOf(attacker().get("username"));
    try (Connection busy = Deployer.connect(victim());
        Connection connection = Deployer.connect(attacker())) {
      busy.createStatement().execute("SELECT pg_advisory_lock(1), 'only mine to see'");
      String pid = list(busy, "SELECT pg_backend_pid()", Close.NO).getFirst();
      for (String forbidden :
          List.of(
              "CREATE ROLE more",
              "CREATE DATABASE more",
              "DROP DATABASE \"" + other + "\"",
              "ALTER DATABASE \"" + other + "\" OWNER TO \"" + own + "\"",
              "COMMENT ON DATABASE \"" + other + "\" IS 'slipway.dev/adopt-into: me'",
              "ALTER ROLE \"" + other + "\" PASSWORD 'mine'",
              "COMMENT ON ROLE \"" + own + "\" IS 'slipway.dev/resource: another'",
              "ALTER ROLE \"" + own + "\" CONNECTION LIMIT -1",
              "GRANT slipway_workloads TO \"" + own + "\"",
              "SET ROLE \"" + other + "\"",
              "SET ROLE slipway_workloads",
              "SELECT pg_terminate_backend(" + pid + ")",
              "SELECT pg_cancel_backend(" + pid + ")",
              "COPY (SELECT 1) TO PROGRAM 'true'",
              "COPY (SELECT 1) TO '/tmp/slipway-workloads-test'",
              "SELECT pg_read_file('postgresql.conf')",
              "SELECT * FROM pg_authid",
              "ALTER SYSTEM SET work_mem = '1GB'",
              "SET temp_file_limit = -1",
              "CREATE TABLESPACE t LOCATION '/tmp'")) {
        assertThatThrownBy(() -> connection.createStatement().execute(forbidden))
            .as(forbidden)
            .isInstanceOf(SQLException.class)
            .extracting(e -> ((SQLException) e).getSQLState())
            .isEqualTo("42501");
      }
      assertThat(
              list(connection, "SELECT query FROM pg_stat_activity WHERE pid = " + pid, Close.NO))
          .containsExactly("<insufficient privilege>");
      assertThat(list(connection, "SELECT pg_try_advisory_lock(1)", Close.NO))
          .as("locks are those of one database")
          .containsExactly("t");
    }
  }

  @Test
  void a_role_has_as_many_connections_as_its_limit_says() throws Exception {
    List<Connection> open = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        open.add(Deployer.connect(attacker()));
      }
      assertThatThrownBy(() -> Deployer.connect(attacker()))
          .hasMessageContaining("too many connections for role");
      Deployer.connect(victim()).close();
    } finally {
      close(open);
    }
    Map<String, Object> unlimited =
        running
            .asAdmin()
            .yaml("/api/applications", Deployer.score("greedy", "db", "{connection_limit: -1}"))
            .expect(422)
            .json();
    assertThat(unlimited.toString()).contains("connection_limit", "minimum");
  }

  @Test
  void applications_that_take_all_connections_leave_the_administrator_his_own() throws Exception {
    deployer.deploy(Deployer.score("crowd", "one", "{connection_limit: 100}"));
    deployer.deploy(Deployer.score("crowds", "two", "{connection_limit: 100}"));
    Map<String, Object> one = deployer.outputs("crowd", "one");
    Map<String, Object> two = deployer.outputs("crowds", "two");
    List<Connection> open = new ArrayList<>();
    try {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100; i++) {
                  open.add(Deployer.connect(one));
                  open.add(Deployer.connect(two));
                }
              })
          .hasMessageContaining("remaining connection slots are reserved");
      deployer.deploy(Deployer.score("late", "db", "{}"));
    } finally {
      close(open);
    }
    List.of("crowd", "crowds", "late").forEach(deployer::destroy);
  }

  @Test
  void a_document_cannot_name_the_database_of_another_application() throws Exception {
    Map<String, Object> before = victim();
    Running.Reply reply =
        running
            .asAdmin()
            .yaml(
                "/api/applications",
                Deployer.score("thief", "db", "{database: " + before.get("database") + "}"));
    assertThat(reply.status()).isEqualTo(422);
    assertThat(reply.body()).contains("params.database", "cannot be chosen", "derived from");
    assertThat(victim()).isEqualTo(before);

    Map<String, Object> renamed =
        deployer.ended(
            Deployer.score("attacker", "db", "{database: " + before.get("database") + "}"));
    assertThat(renamed).containsEntry("status", "failed");
    assertThat(String.valueOf(deployer.resource("attacker", "db"))).contains("cannot be chosen");
    Deployer.connect(victim()).close();
    deployer.deploy(Deployer.score("attacker", "db", "{}"));
  }

  @Test
  void names_that_read_alike_are_two_databases() throws Exception {
    deployer.deploy(Deployer.score("shop", "api-db", "{}"));
    deployer.deploy(Deployer.score("shop-api", "db", "{}"));
    String one = String.valueOf(deployer.outputs("shop", "api-db").get("database"));
    String two = String.valueOf(deployer.outputs("shop-api", "db").get("database"));
    assertThat(one).matches("default_shop_api_db_[0-9a-f]{8}").isNotEqualTo(two);
    assertThat(two).matches("default_shop_api_db_[0-9a-f]{8}");
    deployer.destroy("shop");
    Deployer.connect(deployer.outputs("shop-api", "db")).close();
    deployer.destroy("shop-api");

    String longest = "a" + "b".repeat(60) + "c";
    deployer.deploy(Deployer.score(longest, "db", "{}"));
    assertThat(String.valueOf(deployer.outputs(longest, "db").get("database"))).hasSize(63);
    deployer.destroy(longest);
  }

  @Test
  void what_lost_its_mark_is_neither_changed_nor_dropped() throws Exception {
    deployer.deploy(Deployer.score("marked", "db", "{}"));
    Map<String, Object> made = deployer.outputs("marked", "db");
    String role = "\"" + made.get("username") + "\"";
    String mark = "slipway.dev/resource: " + deployer.resource("marked", "db").get("id");
    assertThat(
            list(
                workloads(),
                "SELECT shobj_description(oid, 'pg_authid') FROM pg_roles WHERE rolname = '"
                    + made.get("username")
                    + "'"))
        .containsExactly(mark);
    tell("COMMENT ON ROLE " + role + " IS 'made by hand'");

    assertThat(deployer.ended(Deployer.score("marked", "db", "{connection_limit: 7}")))
        .containsEntry("status", "failed");
    assertThat(String.valueOf(deployer.resource("marked", "db")))
        .contains("not-ours", "does not belong to resource");
    deployer.begin("marked");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(String.valueOf(deployer.resource("marked", "db")))
                    .contains("nothing is dropped"));
    Deployer.connect(made).close();
    assertThat(
            list(
                workloads(),
                "SELECT rolconnlimit FROM pg_roles WHERE rolname = '" + made.get("username") + "'"))
        .containsExactly("20");

    tell("COMMENT ON ROLE " + role + " IS '" + mark + "'");
    tell("DROP DATABASE " + role + " WITH (FORCE)");
    deployer.destroy("marked");
  }

  @Test
  void rights_that_another_owner_grants_do_not_keep_a_resource_from_being_destroyed()
      throws Exception {
    deployer.deploy(Deployer.score("leaving", "db", "{}"));
    Map<String, Object> made = deployer.outputs("leaving", "db");
    String role = "\"" + made.get("username") + "\"";
    try (Connection connection = Deployer.connect(attacker())) {
      connection.createStatement().execute("CREATE TABLE bait (id int)");
      connection.createStatement().execute("GRANT ALL ON bait TO " + role);
    }
    deployer.destroy("leaving");
    assertThatThrownBy(() -> Deployer.connect(made)).hasMessageContaining("FATAL");
    assertThat(
            list(
                workloads(),
                "SELECT rolcanlogin FROM pg_roles WHERE rolname = '" + made.get("username") + "'"))
        .containsExactly("f");
    try (Connection connection = Deployer.connect(attacker())) {
      connection.createStatement().execute("DROP TABLE bait");
    }
  }

  @Test
  void a_look_finds_that_the_database_is_gone() throws Exception {
    deployer.deploy(Deployer.score("watched", "db", "{}"));
    Object id = deployer.resource("watched", "db").get("id");
    running.asAdmin().post("/api/resources/" + id + "/refresh", "{}").expect(202);
    await()
        .atMost(PATIENCE)
        .until(() -> !running.asAdmin().get("/api/resources/" + id).body().contains("\"running\""));
    assertThat(deployer.resource("watched", "db")).containsEntry("state", "active");

    tell("DROP DATABASE \"" + deployer.outputs("watched", "db").get("database") + "\"");
    running.asAdmin().post("/api/resources/" + id + "/refresh", "{}").expect(202);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(deployer.resource("watched", "db")).containsEntry("state", "degraded"));
    deployer.destroy("watched");
  }

  @Test
  void a_postgresql_for_workloads_that_is_killed_comes_back_with_all_data_and_the_state_goes_on()
      throws Exception {
    try (Connection connection = Deployer.connect(victim())) {
      connection.createStatement().execute("CREATE TABLE kept AS SELECT 'yes' AS x");
    }
    long state = pid("pg");
    long before = pid("workloads/pg");
    ProcessHandle.of(before).orElseThrow().destroyForcibly();
    deployer.deploy(Deployer.score("meanwhile", "db", "{}"));
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(list(Deployer.connect(victim()), "SELECT x FROM kept"))
                    .containsExactly("yes"));
    assertThat(pid("workloads/pg")).isNotEqualTo(before);
    assertThat(pid("pg")).isEqualTo(state);
    assertThat(checks()).containsEntry("workloads", "ok").containsEntry("database", "ok");
    deployer.destroy("meanwhile");
  }

  @Test
  void logins_stay_valid_over_a_restart_of_the_server_also_after_a_kill() throws Exception {
    Map<String, Object> before = victim();
    running.close();
    assertThatThrownBy(() -> Deployer.connect(before)).hasMessageContaining("refused");
    // What a server that was killed leaves behind: a PostgreSQL that goes on alone.
    EmbeddedServer orphan =
        EmbeddedServer.beginWorkloads(data.resolve("workloads"), data, Threads.OF_MACHINE);
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> Deployer.connect(before).close());

    start(Running.embedded(data, Optional.empty()));
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> Deployer.connect(before).close());
    assertThat(orphan.process().isAlive()).isFalse();
    assertThat(victim()).isEqualTo(before);
    deployer.deploy(Deployer.score("victim", "db", "{connection_limit: 21}"));
    assertThat(victim()).isEqualTo(before);
  }

  @Test
  void a_port_that_another_program_took_is_named_and_waited_for(@TempDir Path other)
      throws Exception {
    Path directory = Files.createDirectories(other.resolve("workloads"));
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Files.writeString(directory.resolve("pg.port"), taken.getLocalPort() + "\n");
      try (Workloads workloads = new Workloads(other, Threads.OF_MACHINE)) {
        assertThat(workloads.health()).isEmpty();
        assertThatThrownBy(workloads::target)
            .hasMessageContaining("port " + taken.getLocalPort())
            .hasMessageContaining("taken by another program");
        assertThat(workloads.health()).contains("starting");
        taken.close();
        await()
            .atMost(PATIENCE)
            .ignoreExceptions()
            .untilAsserted(
                () -> assertThat(workloads.target().url()).contains(":" + taken.getLocalPort()));
        assertThat(workloads.health()).contains("ok");
      }
    }
    assertThat(directory.resolve("pg/postmaster.pid")).doesNotExist();
  }

  private Map<String, Object> checks() {
    return Values.map(running.asNobody().get("/health").json().get("checks"));
  }

  private static long pid(String directory) throws IOException {
    return Long.parseLong(
        Files.readAllLines(data.resolve(directory).resolve("postmaster.pid")).getFirst().strip());
  }

  private Map<String, Object> victim() {
    return deployer.outputs("victim", "db");
  }

  private Map<String, Object> attacker() {
    return deployer.outputs("attacker", "db");
  }

  private static String read(String name) {
    try {
      return Files.readString(data.resolve(name)).strip();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static Connection state() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + read("pg.port") + "/postgres",
        "slipway",
        read("pg.password"));
  }

  /** As the superuser, whose login no step has. */
  private static Connection workloads() throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + read("workloads/pg.port") + "/postgres",
        "slipway",
        read("workloads/pg.password"));
  }

  private static void tell(String sql) throws SQLException {
    try (Connection connection = workloads()) {
      connection.createStatement().execute(sql);
    }
  }

  private enum Close {
    YES,
    NO
  }

  private static List<String> list(Connection connection, String sql) throws SQLException {
    return list(connection, sql, Close.YES);
  }

  private static List<String> list(Connection connection, String sql, Close after)
      throws SQLException {
    List<String> found = new ArrayList<>();
    try (var rows = connection.createStatement().executeQuery(sql)) {
      while (rows.next()) {
        found.add(rows.getString(1));
      }
    }
    if (after == Close.YES) {
      connection.close();
    }
    return found;
  }

  private static void close(List<Connection> open) throws SQLException {
    for (Connection connection : open) {
      connection.close();
    }
  }
}
