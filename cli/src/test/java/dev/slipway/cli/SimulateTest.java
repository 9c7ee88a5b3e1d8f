package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateTest {
  @TempDir static Path directory;
  private static LiveServer live;
  private static Path provider;

  @BeforeAll
  static void start() throws IOException {
    provider = directory.resolve("shop");
    Files.createDirectories(provider.resolve("workflows"));
    Files.writeString(
        provider.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: shop, version: 2.3.4}
        capabilities:
          resourceTypeCapabilities:
            - type: till
              operations:
                create: {workflow: make-till}
                update: {workflow: change-till}
                delete: {workflow: drop-till}
            - type: market
              operations:
                create: {workflow: make-market}
        workflows:
          - {name: make-market, file: ./workflows/market.yaml, operation: create}
          - {name: make-row, file: ./workflows/row.yaml}
          - {name: make-till, file: ./workflows/make.yaml, operation: create}
          - {name: change-till, file: ./workflows/change.yaml, operation: update}
          - {name: drop-till, file: ./workflows/drop.yaml, operation: delete}
        """);
    workflow(
        "make",
        """
        metadata: {name: make-till}
        parameters:
          - {name: drawers, type: integer, default: 2}
          - {name: pin, type: secret}
          - {name: near, type: string}
          - {name: label, default: 'till of {{ .parameters.app_name }}'}
        steps:
          - {name: agree, type: approval, if: parameters.drawers > 3, config: {message: 'that many?', allowSelf: true}}
          - name: build
            type: shell
            env: {PIN: '{{ .parameters.pin }}'}
            config: {script: 'echo OUTPUT_serial=7; echo {{ .parameters.label }} {{ .parameters.pin }}'}
            outputs: [serial]
          - {name: polish, type: noop, if: steps.build.output.serial == "7", config: {result: {n: '{{ .steps.build.output.serial }}'}}}
          - {name: sweep, type: noop, when: on_failure}
          - {name: settle, type: wait, unless: parameters.near == "x", config: {duration: 1s}}
        outputs:
          serial: '{{ .steps.build.output.serial }}'
          pin: {value: '{{ .parameters.pin }}', secret: true}
        """);
    workflow(
        "change",
        """
        metadata: {name: change-till}
        parameters:
          - {name: drawers, type: integer, default: 2}
          - {name: serial, required: true}
        steps:
          - {name: rebuild, type: noop, config: {result: {drawers: '{{ .parameters.drawers }}', serial: '{{ .parameters.serial }}'}}}
        outputs: {serial: '{{ .parameters.serial }}'}
        """);
    workflow(
        "market",
        """
        metadata: {name: make-market}
        parameters: [{name: rows, type: integer, default: 2}, {name: pin, type: secret}]
        steps:
          - {name: survey, type: shell, config: {script: 'echo OUTPUT_soil=dry'}, outputs: [soil]}
          - name: row
            workflow: make-row
            parameters:
              length: '{{ .parameters.rows }}'
              soil: '{{ .steps.survey.output.soil }}'
              pin: '{{ .parameters.pin }}'
          - {name: spare, workflow: make-row, if: parameters.rows > 5, parameters: {length: 1}}
        outputs: {first: '{{ .steps.row.output.till }}'}
        """);
    workflow(
        "row",
        """
        metadata: {name: make-row}
        parameters:
          - {name: length, type: integer}
          - {name: soil, default: wet}
          - {name: pin, type: secret}
        steps:
          - {name: mark, type: noop, config: {result: {of: '{{ .parameters.app_name }}', n: '{{ .parameters.length }}', on: '{{ .parameters.soil }}', pin: '{{ .parameters.pin }}'}}}
          - {name: check, type: approval, config: {message: 'is {{ .parameters.soil }} good?'}}
          - {name: till, workflow: make-till, if: parameters.length > 1, parameters: {drawers: '{{ .parameters.length }}', near: '{{ .steps.mark.output.of }}'}}
        outputs: {till: '{{ .steps.till.output.serial }}'}
        """);
    workflow("drop", "metadata: {name: drop-till}\nsteps: [{name: scrap, type: noop}]\n");
    Path config =
        Files.writeString(
            directory.resolve("admin-config.yaml"),
            """
            providers: [{source: filesystem, path: ./shop}]
            policies: {enforceBackups: true}
            workflowPolicies: {security: {requireApproval: [production]}}
            """);
    live = new LiveServer(directory.resolve("data"), config);
  }

  private static void workflow(String name, String body) throws IOException {
    Files.writeString(
        provider.resolve("workflows/" + name + ".yaml"),
        "apiVersion: innominatus.io/v1alpha1\nkind: Workflow\n" + body);
  }

  @AfterAll
  static void stop() {
    live.close();
  }

  private static Path score(String name, String resources) throws IOException {
    return Files.writeString(
        directory.resolve(name + ".yaml"),
        "apiVersion: score.dev/v1b1\nmetadata: {name: %s}\nresources: %s\n"
            .formatted(name, resources));
  }

  private static Map<String, Object> json(Cli.Result result) {
    return Json.readMap(result.expect(ExitCode.OK).out());
  }

  private static Map<String, Object> step(Map<String, Object> simulation, int work, String name) {
    Map<String, Object> one = Api.items(simulation.get("work")).get(work);
    return Api.items(one.get("steps")).stream()
        .filter(s -> name.equals(s.get("name")))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void steps_are_shown_with_rendered_inputs_conditions_and_where_values_come_from()
      throws Exception {
    Path file =
        score(
            "fair",
            "{big: {type: till, params: {drawers: 5, pin: geheim-1234}},"
                + " small: {type: till, params: {near: '${resources.big.serial}'}}}");
    Map<String, Long> before = rows();
    Cli.Result text = live.cli.run("simulate", file).expect(ExitCode.OK);
    assertThat(text.out())
        .contains(
            "+ big (till)  create by shop/make-till  version 2.3.4",
            "drawers: 5  (from params)",
            "drawers: 2  (default)",
            "pin: ***  (from params)",
            "label: till of fair  (default)",
            "near: <resources.big.serial>  (from params)",
            "\"till of fair\" \"***\"",
            "polish [noop]  perhaps: if steps.build.output.serial == \"7\": unknown until step"
                + " build has run",
            "{\"n\":\"<steps.build.output.serial>\"}",
            "agree [approval]  skipped: if parameters.drawers > 3: no",
            "sweep [noop]  not now: runs only after a failure",
            "settle [wait]  perhaps: unless parameters.near == \"x\": unknown until resource big"
                + " has run",
            "serial: <steps.build.output.serial>",
            "! an approval is asked for by step agree of big: that many?",
            "Nothing was run and nothing was changed.")
        .doesNotContain("geheim");
    Map<String, Object> simulation = json(live.cli.run("simulate", file, "-o", "json"));
    assertThat(Json.write(simulation)).doesNotContain("geheim");
    assertThat(step(simulation, 0, "polish")).containsEntry("runs", "unknown");
    assertThat(step(simulation, 0, "build")).containsEntry("wave", 2L);
    assertThat(Values.map(step(simulation, 0, "build").get("env"))).containsEntry("PIN", "***");
    assertThat(rows()).isEqualTo(before);

    Map<String, Object> offline =
        json(live.cli.run("simulate", file, "--provider", provider, "-o", "json"));
    assertThat(Json.write(offline)).doesNotContain("geheim");
    assertThat(offline.get("work")).isEqualTo(simulation.get("work"));
    assertThat(offline.get("approvals")).isEqualTo(simulation.get("approvals"));
  }

  @Test
  void the_steps_inside_a_step_are_shown_below_it() throws Exception {
    Path file = score("square", "{mm: {type: market, params: {pin: geheim-1234}}}");
    String text = live.cli.run("simulate", file).expect(ExitCode.OK).out();
    assertThat(text)
        .contains(
            "├─ 2. row [workflow]",
            "│    runs shop/make-row  version 2.3.4",
            "│    │    length: 2  (from params)",
            "│    │    soil: <steps.survey.output.soil>  (from params)",
            "│    ├─ 1. mark [noop]",
            "\"of\":\"square\",\"n\":2,\"on\":\"<steps.survey.output.soil>\"",
            "│    ├─ 3. till [workflow]",
            "│    │    runs shop/make-till  version 2.3.4",
            "│    │    │    drawers: 2  (from params)",
            "│    │    ├─ 1. agree [approval]  skipped",
            "spare [workflow]  skipped",
            "! an approval is asked for by step row/check of mm: is <steps.survey.output.soil> good?")
        .doesNotContain("geheim", "too large");
    Map<String, Object> simulation = json(live.cli.run("simulate", file, "-o", "json"));
    Map<String, Object> row = Values.map(step(simulation, 0, "row").get("calls"));
    assertThat(row).containsEntry("workflow", "make-row").containsKeys("parameters", "outputs");
    assertThat(step(simulation, 0, "spare")).doesNotContainKey("calls");
    Map<String, Object> offline =
        json(live.cli.run("simulate", file, "--provider", provider, "-o", "json"));
    assertThat(offline.get("work")).isEqualTo(simulation.get("work"));
    assertThat(offline.get("approvals")).isEqualTo(simulation.get("approvals"));
  }

  @Test
  void workflows_that_multiply_are_shown_only_so_far() throws Exception {
    Path maze = Files.createDirectories(directory.resolve("maze"));
    Files.writeString(
        maze.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: maze, version: 1.0.0}
        capabilities:
          resourceTypeCapabilities:
            - {type: maze, operations: {create: {workflow: w1}}}
        workflows:
          - {name: w1, file: ./w1.yaml, operation: create}
          - {name: w2, file: ./w2.yaml}
          - {name: w3, file: ./w3.yaml}
          - {name: w4, file: ./w4.yaml}
        """);
    for (int level = 1; level <= 4; level++) {
      StringBuilder steps = new StringBuilder();
      for (int i = 0; i < 50; i++) {
        String does = level < 4 ? "workflow: w" + (level + 1) : "type: noop";
        steps.append("  - {name: s%d, %s}\n".formatted(i, does));
      }
      Files.writeString(
          maze.resolve("w" + level + ".yaml"),
          "apiVersion: innominatus.io/v1alpha1\nkind: Workflow\nmetadata: {name: w%d}\nsteps:\n%s"
              .formatted(level, steps));
    }
    Path file = score("labyrinth", "{mm: {type: maze}}");
    String text = live.cli.run("simulate", file, "--provider", maze).expect(ExitCode.OK).out();
    assertThat(text).contains("its steps are not shown: the simulation is too large");
    assertThat(text.lines().filter(line -> line.contains("[noop]")).count()).isBetween(1L, 2_000L);
    assertThat(text.lines().count()).isLessThan(20_000);
  }

  @Test
  void updates_and_deletions_are_shown_with_the_outputs_so_far() throws Exception {
    live.cli
        .run("deploy", score("stall", "{aa: {type: till}, bb: {type: till}}"), "--wait")
        .expect(ExitCode.OK);
    Map<String, Object> simulation =
        json(
            live.cli.run(
                "simulate",
                score("stall", "{aa: {type: till, params: {drawers: 3}}}"),
                "-o",
                "json"));
    List<Map<String, Object>> work = Api.items(simulation.get("work"));
    assertThat(work.stream().map(w -> w.get("resource") + " " + w.get("operation")))
        .containsExactlyInAnyOrder("aa update", "bb delete");
    Map<String, Object> update =
        work.stream().filter(w -> "aa".equals(w.get("resource"))).findFirst().orElseThrow();
    assertThat(Json.write(update.get("parameters")))
        .contains("{\"name\":\"serial\",\"value\":\"7\",\"from\":\"outputs\"}");
    assertThat(Json.write(update.get("steps"))).contains("\"drawers\":3");
    assertThat(
            live.cli
                .run("simulate", score("stall", "{aa: {type: till}, bb: {type: till}}"))
                .expect(ExitCode.OK)
                .out())
        .contains("= aa (till) stays as it is");
  }

  @Test
  void what_would_be_refused_is_refused_and_approvals_of_environments_are_shown()
      throws IOException {
    Cli.Result refused =
        live.cli.run("simulate", score("bare", "{aa: {type: till, params: {backups: false}}}"));
    refused.expect(ExitCode.FAILED);
    assertThat(refused.err()).contains("bare.yaml:3:", "enforceBackups");
    Cli.Result unknown = live.cli.run("simulate", score("odd", "{aa: {type: tills}}"));
    assertThat(unknown.expect(ExitCode.FAILED).err()).contains("Did you mean 'till'");
    assertThat(
            live.cli
                .run("simulate", score("guarded", "{aa: {type: till}}"), "-e", "production")
                .expect(ExitCode.OK)
                .out())
        .contains("! an approval is asked for before anything runs");
    live.stranger.run("simulate", directory.resolve("guarded.yaml")).expect(ExitCode.FAILED);
  }

  /** How many rows every table has. */
  private static Map<String, Long> rows() throws SQLException {
    Map<String, Long> counts = new TreeMap<>();
    try (Connection connection =
        DriverManager.getConnection(
            live.database.jdbcUrl(), live.database.user(), live.database.password())) {
      List<String> tables = new ArrayList<>();
      try (ResultSet found =
          connection
              .getMetaData()
              .getTables(null, "public", "%", new String[] {"TABLE", "PARTITIONED TABLE"})) {
        while (found.next()) {
          tables.add(found.getString("TABLE_NAME"));
        }
      }
      for (String table : tables) {
        try (var statement = connection.createStatement();
            ResultSet count = statement.executeQuery("SELECT count(*) FROM \"" + table + "\"")) {
          count.next();
          counts.put(table, count.getLong(1));
        }
      }
    }
    assertThat(counts).containsKeys("plans", "runs", "resources", "events");
    return counts;
  }
}
