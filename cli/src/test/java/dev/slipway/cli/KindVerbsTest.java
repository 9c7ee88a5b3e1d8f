package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.cli.kinds.RecordedTable;
import dev.slipway.engine.value.Json;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Verbs for every kind, against recorded answers. */
class KindVerbsTest {
  private static final String SHOP =
      """
      {"id": "a1", "name": "shop", "environment": "default", "state": "%s",
       "deploymentId": "d1", "deploymentStatus": "%s",
       "resources": [{"id": "r1", "application": "shop", "name": "db", "state": "active",
                      "deletionPolicy": "retain", "users": ["shop"]}]}
      """;
  private static final String SHOP_AT = "GET /api/applications/shop?environment=default";
  private static final String APPROVALS = "GET /api/approvals?state=pending&limit=100";
  private static final String NONE = "{\"data\": []}";

  private RecordedServer server;
  private Cli cli;

  @BeforeEach
  void start() throws IOException {
    server = new RecordedServer().on("GET /api/kinds", RecordedTable.text()).on(APPROVALS, NONE);
    cli = server.cli;
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String shop(String state, String deployment) {
    return SHOP.formatted(state, deployment);
  }

  @Test
  void without_a_kind_the_kinds_are_listed() {
    assertThat(cli.run("get").expect(ExitCode.OK).out())
        .contains("NAME", "SHORT NAMES", "VERBS", "applications", "app,apps", "api-keys");
    assertThat(cli.run("get", "-o", "name").expect(ExitCode.OK).out().lines())
        .contains("applications", "resources", "runs");
  }

  @Test
  void an_unknown_kind_is_a_usage_error_that_names_the_nearest_and_all() {
    assertThat(cli.run("get", "aplications").expect(ExitCode.USAGE).err())
        .contains("'aplications' is no kind", "Did you mean 'applications'?", "Kinds: ", "runs");
    assertThat(cli.run("explain", "zzz", "shop").expect(ExitCode.USAGE).err())
        .contains("One word alone names one of the applications", "explain APP");
  }

  @Test
  void a_server_without_a_table_is_older_than_the_command() {
    server.on("GET /api/kinds", "");
    assertThat(cli.run("get", "apps").expect(ExitCode.FAILED).err()).contains("older than this");
  }

  @Test
  void all_pages_are_read() {
    server
        .on("GET /api/teams?limit=100", teams(0, 100, "p2"))
        .on("GET /api/teams?limit=100&continue=p2", teams(100, 200, "p3"))
        .on("GET /api/teams?limit=100&continue=p3", teams(200, 230, ""));
    assertThat(cli.run("get", "teams", "-o", "name").expect(ExitCode.OK).out().lines())
        .hasSize(230)
        .contains("t0", "t229");
    Cli.Result some = cli.run("get", "teams", "--limit", "150").expect(ExitCode.OK);
    assertThat(some.out().lines()).hasSize(151);
    assertThat(some.err()).contains("Only the first 150");
  }

  private static String teams(int from, int to, String next) {
    return IntStream.range(from, to)
        .mapToObj("{\"name\": \"t%d\"}"::formatted)
        .collect(Collectors.joining(",", "{\"data\": [", "], \"continue\": \"" + next + "\"}"));
  }

  @Test
  void filters_are_those_of_the_kinds_template() {
    server.on("GET /api/workflows?status=failed&limit=100", NONE);
    cli.run("get", "runs", "-l", "status=failed").expect(ExitCode.OK);
    server.on("GET /api/workflows?environment=dev&limit=100", NONE);
    cli.run("get", "wf", "-e", "dev").expect(ExitCode.OK);
    assertThat(cli.run("get", "runs", "-l", "stauts=failed").expect(ExitCode.USAGE).err())
        .contains("Did you mean 'status'?");
  }

  @Test
  void objects_of_another_environment_are_left_out_where_the_list_cannot_be_asked_for_one() {
    server.on(
        "GET /api/approvals?limit=100",
        "{\"data\": [{\"id\": \"1\", \"environment\": \"dev\"},"
            + " {\"id\": \"2\", \"environment\": \"prod\"}]}");
    assertThat(cli.run("get", "approvals", "-e", "dev", "-o", "name").out().lines())
        .containsExactly("1");
  }

  @Test
  void an_object_is_named_by_its_labels_or_by_its_id() {
    String db =
        "{\"id\": \"r1\", \"application\": \"shop\", \"name\": \"db\", \"environment\": \"default\"}";
    server
        .on(
            "GET /api/resources?application=shop&environment=default&limit=100",
            "{\"data\": [" + db + "]}")
        .on("GET /api/resources/r1", db);
    for (String name : List.of("shop/db", "r1")) {
      assertThat(Json.readMap(cli.run("get", "res", name, "-o", "json").expect(ExitCode.OK).out()))
          .containsEntry("id", "r1");
    }
    assertThat(cli.run("get", "resource/shop/db", "-o", "name").out()).isEqualTo("r1\n");
    assertThat(cli.run("get", "resource", "shop/bd").expect(ExitCode.FAILED).err())
        .contains("no resource 'shop/bd' in default", "Did you mean 'shop/db'?");
  }

  @Test
  void two_objects_of_one_name_are_distinguished_by_their_ids() {
    server.on(
        "GET /api/profile/api-keys?limit=100",
        "{\"data\": [{\"id\": \"1\", \"name\": \"ci\"}, {\"id\": \"2\", \"name\": \"ci\"}]}");
    assertThat(cli.run("delete", "token", "ci", "--yes").expect(ExitCode.FAILED).err())
        .contains("2 api-keys are named 'ci'", "1, 2");
    server.on("DELETE /api/profile/api-keys/2", "204");
    assertThat(cli.run("delete", "token", "2", "--yes").expect(ExitCode.OK).err())
        .contains("is deleted");
  }

  @Test
  void of_several_objects_those_that_are_there_are_shown() {
    server.on(SHOP_AT, shop("active", "completed"));
    Cli.Result some = cli.run("get", "app", "shop", "nope").expect(ExitCode.FAILED);
    assertThat(some.out()).contains("shop");
    assertThat(some.err()).contains("404");
  }

  @Test
  void nothing_is_deleted_without_consent() {
    server.on(SHOP_AT, shop("active", "completed"));
    assertThat(cli.run("delete", "app", "shop").expect(ExitCode.USAGE).err())
        .contains("application shop in default", "resource shop/db (retain, active)", "--yes");
    assertThat(cli.run("delete", "app", "shop", "--cascade", "--yes").expect(ExitCode.USAGE).err())
        .contains("--cascade means nothing for applications");
    assertThat(cli.run("delete", "run", "1", "--yes").expect(ExitCode.USAGE).err())
        .contains("no 'delete' for runs");
    assertThat(server.calls).noneMatch(call -> call.startsWith("DELETE"));
  }

  @Test
  void deleting_confirms_by_name_and_waits_until_the_object_is_gone() {
    String call = "DELETE /api/applications/shop?confirm=shop&environment=default&orphan=true";
    server
        .on(SHOP_AT, shop("failed", "failed"), shop("deprovisioning", "running"), "")
        .on(call, "{\"deploymentId\": \"d2\"}");
    assertThat(
            cli.run("delete", "app", "shop", "--orphan", "--yes", "--wait")
                .expect(ExitCode.OK)
                .err())
        .contains("This forgets application shop", "application shop is gone");
    assertThat(server.calls).contains(call);
  }

  @Test
  void deleting_that_fails_or_needs_an_approval_says_so() {
    String call = "DELETE /api/applications/shop?confirm=shop&environment=default";
    server
        .on(SHOP_AT, shop("active", "completed"), shop("failed", "failed"))
        .on(call, "{\"deploymentId\": \"d2\"}");
    cli.run("delete", "app", "shop", "--yes", "--wait").expect(ExitCode.FAILED);
    server.on(SHOP_AT, shop("active", "completed")).on(call, "{\"approvalId\": \"p1\"}");
    assertThat(
            cli.run("delete", "app", "shop", "--yes", "--wait")
                .expect(ExitCode.WAITING_FOR_APPROVAL)
                .err())
        .contains("slipway approve p1");
  }

  @Test
  void waiting_ends_when_state_and_deployment_are_done() {
    server.on(SHOP_AT, shop("active", "running"), shop("active", "completed"));
    cli.run("wait", "app", "shop").expect(ExitCode.OK);
    server.on(SHOP_AT, shop("failed", "running"), shop("failed", "failed"));
    assertThat(cli.run("wait", "app", "shop").expect(ExitCode.FAILED).err())
        .contains("explain application shop");
    server.on(SHOP_AT, shop("provisioning", "running"));
    cli.run("wait", "app", "shop", "--timeout", "0s").expect(ExitCode.TIMEOUT);
    cli.run("wait", "app", "shop", "--for", "Provisioning").expect(ExitCode.OK);
    server.on(APPROVALS, "{\"data\": [{\"id\": \"p1\", \"deploymentId\": \"d1\"}]}");
    assertThat(cli.run("wait", "app", "shop").expect(ExitCode.WAITING_FOR_APPROVAL).err())
        .contains("approve p1");
  }

  @Test
  void waiting_for_the_end_of_what_is_not_there_is_done_at_once() {
    cli.run("wait", "app", "shop", "--for", "delete").expect(ExitCode.OK);
    cli.run("wait", "app", "shop").expect(ExitCode.FAILED);
    server.on(SHOP_AT, shop("deprovisioning", "running"), "");
    cli.run("wait", "app", "shop", "--for", "delete").expect(ExitCode.OK);
    server.on(SHOP_AT, shop("deprovisioning", "running"), "");
    cli.run("wait", "app", "shop", "--for", "updating").expect(ExitCode.FAILED);
    assertThat(cli.run("wait", "team", "x").err()).doesNotContain("should not have happened");
    cli.run("wait", "shop", "--for", "active").expect(ExitCode.USAGE);
  }

  @Test
  void one_word_stays_an_application_even_where_it_is_a_word_of_the_table() {
    String explained = "{\"state\": \"active\", \"summary\": \"fine\", \"entries\": []}";
    server
        .on("GET /api/applications/app/explain?environment=default", explained)
        .on(SHOP_AT, shop("active", "completed"))
        .on("GET /api/applications/shop/explain?environment=default", explained)
        .on("GET /api/graph/runs?environment=default", "{\"nodes\": [], \"edges\": []}");
    assertThat(cli.run("explain", "app").expect(ExitCode.OK).out()).startsWith("app active: fine");
    assertThat(cli.run("explain", "app", "shop").expect(ExitCode.OK).out()).startsWith("shop ");
    cli.run("graph", "runs").expect(ExitCode.OK);
    assertThat(cli.run("explain", "team", "x").expect(ExitCode.USAGE).err())
        .contains("no 'explain' for teams", "A team has no state", "applications, ");
  }

  @Test
  void kind_and_name_can_be_one_word_with_a_slash() {
    String explained =
        "{\"application\": \"shop\", \"state\": \"active\", \"summary\": \"fine\","
            + " \"entries\": []}";
    server
        .on(SHOP_AT, shop("active", "completed"))
        .on("GET /api/applications/shop/explain?environment=default", explained)
        .on("GET /api/applications/shop/explain?environment=default&resource=db", explained)
        .on("GET /api/graph/shop?environment=default", "{\"nodes\": [], \"edges\": []}");
    cli.run("wait", "app/shop").expect(ExitCode.OK);
    cli.run("graph", "app/shop").expect(ExitCode.OK);
    assertThat(cli.run("explain", "app/shop").expect(ExitCode.OK).out()).startsWith("shop ");
    assertThat(cli.run("explain", "shop/db").expect(ExitCode.OK).out()).startsWith("shop/db ");
  }

  @Test
  void several_objects_are_waited_for_and_one_that_is_not_done_decides_the_exit_code() {
    server
        .on(SHOP_AT, shop("active", "completed"))
        .on(
            "GET /api/applications/till?environment=default",
            shop("failed", "failed").replace("shop", "till"));
    assertThat(cli.run("wait", "app", "till", "shop").expect(ExitCode.FAILED).err())
        .contains("application till is failed", "application shop is active");
  }

  @Test
  void what_cannot_be_waited_for_is_a_usage_error() {
    server.on(SHOP_AT, shop("active", "completed"));
    cli.run("wait", "app", "shop", "--for", "state=active").expect(ExitCode.OK);
    assertThat(
            cli.run("wait", "app", "shop", "--for", "condition=ready").expect(ExitCode.USAGE).err())
        .contains("nothing called 'condition'", "--for active");
  }

  @Test
  void a_run_is_explained_by_what_it_waits_for_whether_it_has_an_application_or_not() {
    server
        .on("GET /api/workflows/7", "{\"id\": \"7\", \"status\": \"failed\"}")
        .on("GET /api/workflows/7/explain", EXPLAINED);
    String explained = cli.run("explain", "run", "7").expect(ExitCode.OK).out();
    assertThat(explained)
        .startsWith("7 failed: ")
        .containsSubsequence(
            "workflow:8 is failed",
            "exit code 5",
            "workflow:7 is failed",
            "blocked by:  workflow:8")
        .contains("Next:\n  slipway run retry 7");
  }

  @Test
  void a_word_with_a_colon_is_a_node_and_is_explained_and_drawn_without_a_kind() {
    server
        .on("GET /api/nodes/workflow%3A7/explain", EXPLAINED)
        .on("GET /api/nodes/workflow%3A7/graph", RUN_GRAPH)
        .on("GET /api/nodes/workflow%3A7/graph/export?format=dot", "digraph x {}");
    assertThat(cli.run("explain", "workflow:7").expect(ExitCode.OK).out())
        .startsWith("workflow:7 failed: ");
    assertThat(cli.run("explain", "workflow:7", "-o", "name").expect(ExitCode.OK).out())
        .isEqualTo("workflow:7\n");
    assertThat(cli.run("graph", "workflow:7").expect(ExitCode.OK).out())
        .isEqualTo(
            """
            workflow:7 failed
            ├─ step:7/call failed after step:7/make
            │  └─ workflow:8 failed
            └─ step:7/make succeeded
            """);
    assertThat(cli.run("graph", "workflow:7", "--format", "dot").expect(ExitCode.OK).out())
        .isEqualTo("digraph x {}\n");
  }

  @Test
  void formats_of_a_graph_come_from_the_table() {
    server
        .on("GET /api/providers/acme", "{\"name\": \"acme\", \"node\": \"provider:acme\"}")
        .on("GET /api/nodes/provider%3Aacme/graph/export?format=svg", "<svg/>")
        .on("GET /api/graph/shop/export?format=mermaid&environment=dev", "flowchart TD");
    assertThat(cli.run("graph", "provider", "acme", "--format", "svg").expect(ExitCode.OK).out())
        .isEqualTo("<svg/>\n");
    assertThat(
            cli.run("graph", "shop", "-e", "dev", "--format", "mermaid").expect(ExitCode.OK).out())
        .isEqualTo("flowchart TD\n");
  }

  @Test
  void the_cause_of_a_run_is_described() {
    server.on(
        "GET /api/workflows/7",
        "{\"id\": \"7\", \"status\": \"failed\", \"cause\": \"check of a deployment\"}");
    assertThat(cli.run("describe", "run", "7", "--events", "0").expect(ExitCode.OK).out())
        .containsPattern("Cause: +check of a deployment");
  }

  @Test
  void waiting_for_what_has_no_states_says_what_to_wait_for_instead() {
    server.on("GET /api/plans/abc", "{\"hash\": \"abc\"}");
    assertThat(cli.run("wait", "plan", "abc").expect(ExitCode.USAGE).err())
        .contains("no 'wait' for plans", "slipway wait deployment ID");
  }

  private static final String EXPLAINED =
      """
      {"node": "workflow:7", "state": "failed", "whole": true,
       "summary": "workflow:7 is failed: workflow:8 exit code 5 (and 1 more)",
       "entries": [
         {"node": "workflow:8", "subject": "workflow:8", "state": "failed", "why": "exit code 5",
          "blockedBy": []},
         {"node": "workflow:7", "subject": "workflow:7", "state": "failed",
          "why": "step 'call' failed", "blockedBy": ["workflow:8"],
          "command": "slipway run retry 7"}],
       "commands": ["slipway run retry 7"]}
      """;

  private static final String RUN_GRAPH =
      """
      {"nodes": [
         {"id": "workflow:7", "type": "workflow", "name": "a", "state": "failed"},
         {"id": "workflow:8", "type": "workflow", "name": "b", "state": "failed"},
         {"id": "step:7/call", "type": "step", "name": "call", "state": "failed"},
         {"id": "step:7/make", "type": "step", "name": "make", "state": "succeeded"}],
       "edges": [
         {"from": "workflow:7", "to": "step:7/call", "type": "contains"},
         {"from": "workflow:7", "to": "step:7/make", "type": "contains"},
         {"from": "step:7/call", "to": "step:7/make", "type": "depends-on"},
         {"from": "step:7/call", "to": "workflow:8", "type": "executes"}]}
      """;
}
