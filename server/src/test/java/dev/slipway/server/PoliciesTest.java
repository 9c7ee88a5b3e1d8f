package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every policy refuses what it should, takes effect by a reload, and holds for runs that were made
 * before it did.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PoliciesTest {
  private static final String WORKFLOW =
      """
      apiVersion: innominatus.io/v1alpha1
      kind: Workflow
      metadata: {name: %s}
      steps:
      """;

  private Running running;
  private String dora;
  private Path home;
  private Path config;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    home = directory;
    Path provider = Files.createDirectories(directory.resolve("tools"));
    Files.writeString(
        provider.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: tools, version: 1.0.0}
        capabilities:
          resourceTypes: [plain, asked, secretive, lasting]
        workflows:
          - {name: make-plain, file: ./plain.yaml, category: provisioner, resourceType: plain}
          - {name: make-asked, file: ./asked.yaml, category: provisioner, resourceType: asked}
          - {name: make-secretive, file: ./secretive.yaml, category: provisioner, resourceType: secretive}
          - {name: make-lasting, file: ./lasting.yaml, category: provisioner, resourceType: lasting}
          - {name: drop, file: ./plain.yaml, operation: delete}
          - {name: onboard, file: ./onboard.yaml, category: goldenpath}
          - {name: tidy, file: ./onboard.yaml, category: goldenpath}
          - {name: scan, file: ./scan.yaml, category: goldenpath}
          - {name: count, file: ./onboard.yaml, category: goldenpath}
        """);
    workflow("plain", "- {name: only, type: noop}");
    workflow(
        "asked",
        """
        - {name: ask, type: approval, config: {message: may it go on}}
        - {name: code, type: shell, on_error: continue, config: {script: touch %s/ran}}
        """
            .formatted(directory));
    workflow(
        "secretive",
        """
        - name: use
          type: shell
          outputs: [length, digest]
          config:
            script: |
              echo "OUTPUT_length=${#NPM_TOKEN}"
              printf %s "$NPM_TOKEN" | sha256sum | sed 's/^/OUTPUT_digest=/; s/ .*//'
        """);
    workflow(
        "lasting",
        "- {name: hold, type: shell, config: {script: 'until test -e %s/go; do sleep 0.05; done'}}"
            .formatted(directory));
    workflow("onboard", "- {name: only, type: noop}");
    workflow(
        "scan",
        """
        - name: look
          type: shell
          config:
            script: |
              if [ {{ .context.spec.metadata.name }} = unsafe ]; then
                echo "unsafe is on the list" >&2
                exit 4
              fi
        """);
    Files.writeString(directory.resolve("npm"), "first-secret");
    config = directory.resolve("admin-config.yaml");
    write("");
    running = new Running(Optional.of(config));
    dora = running.member("dora", "red", "developer");
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private void workflow(String name, String steps) throws IOException {
    Files.writeString(
        home.resolve("tools/" + name + ".yaml"),
        WORKFLOW.formatted(name) + steps.indent(2) + "outputs: {}\n");
  }

  private void write(String policies) throws IOException {
    Files.writeString(
        config,
        """
        secrets: {npm-token: '${file:npm}'}
        providers:
          - {source: filesystem, path: %s, grants: {secrets: [npm-token]}}
        """
                .formatted(home.resolve("tools"))
            + policies);
  }

  private Running.Reply reload(String policies) throws IOException {
    write(policies);
    return running.asAdmin().post("/api/admin/reload", "");
  }

  private static String score(String name, String type) {
    return ApplicationTest.score(name).replace("volume", type);
  }

  private Map<?, ?> resource(String app) {
    var json = running.as(dora).get("/api/applications/" + app).expect(200).json();
    return (Map<?, ?>) ((List<?>) json.get("resources")).getFirst();
  }

  private void await(String path, String field, String wanted) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(running.asAdmin().get(path).expect(200).json())
                    .containsEntry(field, wanted));
  }

  private String run(String app) {
    return "/api/workflows/" + resource(app).get("runId");
  }

  private Map<?, ?> step(String run, String name) {
    List<?> steps = (List<?>) running.asAdmin().get(run).expect(200).json().get("steps");
    return steps.stream()
        .map(s -> (Map<?, ?>) s)
        .filter(s -> s.get("name").equals(name))
        .findFirst()
        .orElseThrow();
  }

  private String approval(String key, Object value) {
    return Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                ((List<?>) running.asAdmin().get("/api/approvals").expect(200).json().get("data"))
                    .stream()
                        .map(a -> (Map<?, ?>) a)
                        .filter(a -> value.equals(a.get(key)) && "pending".equals(a.get("state")))
                        .map(a -> a.get("id").toString())
                        .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  @Test
  void a_provider_that_a_policy_refuses_is_listed_with_the_place() throws IOException {
    var reply = reload("workflowPolicies: {allowedStepTypes: [noop, approval]}").expect(200);
    assertThat(reply.body())
        .contains("\"kind\":\"refused\"", "tools/asked.yaml", "workflowPolicies.allowedStepTypes");
    assertThat(running.as(dora).yaml("/api/specs", score("barred", "plain")).expect(422).body())
        .contains("policy-refused", "resources.files.type", "'tools'");
    reload("").expect(200);
    running.as(dora).yaml("/api/specs", score("barred", "plain")).expect(201);
  }

  @Test
  void a_run_of_before_is_refused_at_its_next_forbidden_step() throws IOException {
    reload("").expect(200);
    running.as(dora).yaml("/api/specs", score("before", "asked")).expect(201);
    String id = approval("application", "before");
    reload("workflowPolicies: {security: {allowedExecutors: [dba]}}").expect(200);
    running.asAdmin().post("/api/approvals/" + id + "/approve", "{}").expect(200);
    String run = run("before");
    await(run, "status", "failed");
    assertThat(running.asAdmin().get(run).body())
        .contains("policy-refused", "workflowPolicies.security.allowedExecutors", "'tools'");
    assertThat(step(run, "code").get("status")).isEqualTo("failed");
    assertThat(home.resolve("ran")).doesNotExist();
    reload("").expect(200);
  }

  @Test
  void backups_stay_on_wherever_they_are_written() throws IOException {
    reload("policies: {enforceBackups: true}").expect(200);
    String off =
        score("careless", "plain").replace("size: 1Gi", "storage: {backups: 'off'}\n      a: 1");
    assertThat(running.as(dora).yaml("/api/specs", off).expect(422).json().get("errors").toString())
        .contains("backups-required", "resources.files.params.storage.backups", "line=");
    assertThat(
            running
                .as(dora)
                .post("/api/golden-paths/onboard/execute", "{\"parameters\":{\"backup\":false}}")
                .expect(403)
                .body())
        .contains("policies.enforceBackups");
    reload("").expect(200);
    running.as(dora).yaml("/api/specs", off).expect(201);
  }

  @Test
  void environments_that_are_not_listed_are_not_made() throws IOException {
    reload("policies: {allowedEnvironments: [staging]}").expect(200);
    assertThat(
            running
                .as(dora)
                .yaml("/api/specs?environment=stagin", score("place", "plain"))
                .expect(422)
                .body())
        .contains("environment-not-allowed", "policies.allowedEnvironments");
    assertThat(
            running.asAdmin().post("/api/environments", "{\"name\":\"stagin\"}").expect(422).body())
        .contains("environment-not-allowed", "Did you mean 'staging'?");
    running.as(dora).yaml("/api/specs?environment=staging", score("place", "plain")).expect(201);
    reload("").expect(200);
  }

  @Test
  void listed_environments_want_an_approval_of_every_plan() throws IOException {
    reload("workflowPolicies: {security: {requireApproval: [prod]}}").expect(200);
    String path = "/api/applications/guarded?environment=prod";
    var made =
        running
            .as(dora)
            .yaml("/api/specs?environment=prod", score("guarded", "plain"))
            .expect(201)
            .json();
    assertThat(made).containsEntry("status", "waiting").containsKey("planHash");
    String id = approval("application", "guarded");
    assertThat(running.asAdmin().get("/api/approvals/" + id).json())
        .containsEntry("hash", made.get("planHash"));
    running.asAdmin().post("/api/approvals/" + id + "/approve", "{}").expect(200);
    await(path, "state", "active");
    running
        .as(dora)
        .delete("/api/applications/guarded?environment=prod&confirm=guarded")
        .expect(202);
    assertThat(running.as(dora).get(path).expect(200).json()).containsEntry("state", "active");
    id = approval("application", "guarded");
    running.asAdmin().post("/api/approvals/" + id + "/approve", "{}").expect(200);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> running.as(dora).get(path).status() == 404);
    reload("").expect(200);
  }

  @Test
  void a_guarded_environment_takes_a_golden_path_only_under_an_approved_plan() throws Exception {
    String body = "{\"environment\":\"prod\"}";
    String before = running.as(dora).post(TIDY, body).expect(202).json().get("id").toString();
    await("/api/workflows/" + before, "status", "succeeded");
    sql("UPDATE runs SET state = 'failed' WHERE id = '" + before + "'");
    reload("workflowPolicies: {security: {requireApproval: [prod]}}").expect(200);

    var waiting = running.as(dora).post(TIDY, body).expect(202).json();
    assertThat(waiting).containsEntry("status", "waiting");
    String run = "/api/workflows/" + waiting.get("id");
    String approval = "/api/approvals/" + waiting.get("approvalId");
    assertThat(running.as(dora).post(TIDY, body).expect(202).json())
        .as("the same again waits for the same approval")
        .containsEntry("approvalId", waiting.get("approvalId"));
    running.as(dora).get(run).expect(404);
    assertThat(running.asAdmin().get(approval).expect(200).json())
        .containsEntry("hash", waiting.get("planHash"))
        .extractingByKey("plan")
        .asString()
        .contains("tidy");
    running.as(dora).post(approval + "/approve", "{}").expect(403);
    running.asAdmin().post(approval + "/approve", "{}").expect(200);
    await(run, "status", "succeeded");
    running.asAdmin().post(approval + "/approve", "{}").expect(409);

    assertThat(
            running.as(dora).post("/api/workflows/" + before + "/retry", "{}").expect(409).body())
        .contains("only under an approved plan");
    sql("UPDATE runs SET state = 'failed' WHERE id = '" + waiting.get("id") + "'");
    assertThat(
            running.as(dora).post(run + "/retry", "{\"definition\":\"latest\"}").expect(409).body())
        .contains("only under an approved plan");
    running.as(dora).post(run + "/retry", "{}").expect(202);
    reload("").expect(200);
    running.as(dora).post("/api/workflows/" + before + "/retry", "{}").expect(202);
  }

  @Test
  void a_golden_path_whose_plan_is_refused_or_expires_never_runs() throws Exception {
    reload("workflowPolicies: {security: {requireApproval: [prod]}}").expect(200);
    String body = "{\"environment\":\"prod\"}";
    var refused = running.as(dora).post(TIDY, body).expect(202).json();
    running
        .asAdmin()
        .post("/api/approvals/" + refused.get("approvalId") + "/reject", "{}")
        .expect(200);
    var late = running.as(dora).post(TIDY, body).expect(202).json();
    assertThat(late.get("approvalId")).isNotEqualTo(refused.get("approvalId"));
    sql("UPDATE approvals SET expires_at = now() - interval '1 hour' WHERE state = 'pending'");
    running
        .asAdmin()
        .post("/api/approvals/" + late.get("approvalId") + "/approve", "{}")
        .expect(409);
    for (var waiting : List.of(refused, late)) {
      running.asAdmin().get("/api/workflows/" + waiting.get("id")).expect(404);
    }
    reload("").expect(200);
  }

  private static final String TIDY = "/api/golden-paths/tidy/execute";

  private void sql(String statement) throws Exception {
    try (Connection connection = UpgradeFixture.connect(running.database);
        Statement update = connection.createStatement()) {
      update.execute(statement);
    }
  }

  @Test
  void where_an_environment_is_and_what_is_protected_is_the_administrators() {
    String omar = running.member("omar", "*", "operator");
    for (String field :
        List.of(
            "\"protected\":true",
            "\"protected\":false",
            "\"cluster\":\"east\"",
            "\"namespaceTemplate\":\"x-{{ .app_name }}\"")) {
      String made = "{\"name\":\"place\"," + field + "}";
      String changed = "{" + field + "}";
      for (String token : List.of(dora, omar)) {
        assertThat(running.as(token).post("/api/environments", made).expect(403).body())
            .contains("Only an administrator");
        running.as(token).patch("/api/environments/default", changed).expect(403);
      }
    }
  }

  @Test
  void only_listed_golden_paths_can_be_started() throws IOException {
    reload("workflowPolicies: {allowedProductWorkflows: [tools/onboard]}").expect(200);
    assertThat(running.as(dora).get("/api/golden-paths").expect(200).body())
        .contains("onboard")
        .doesNotContain("tidy");
    assertThat(running.as(dora).post("/api/golden-paths/tidy/execute", "{}").expect(403).body())
        .contains("policy-refused", "workflowPolicies.allowedProductWorkflows", "tools/onboard");
    running.as(dora).post("/api/golden-paths/onboard/execute", "{}").expect(202);
    reload("").expect(200);
    running.as(dora).post("/api/golden-paths/tidy/execute", "{}").expect(202);
  }

  private List<String> checks(String app) {
    List<?> runs =
        (List<?>) running.asAdmin().get("/api/workflows?app=" + app).expect(200).json().get("data");
    return runs.stream()
        .map(r -> (Map<?, ?>) r)
        .filter(r -> "platform".equals(r.get("kind")))
        .map(r -> r.get("workflow") + " " + r.get("status"))
        .sorted()
        .toList();
  }

  @Test
  void platform_workflows_run_before_each_deployment() throws IOException {
    reload("workflowPolicies: {requiredPlatformWorkflows: [tools/scan, count]}").expect(200);
    var made = running.as(dora).yaml("/api/specs", score("safe", "plain")).expect(201).json();
    assertThat(made).containsEntry("status", "waiting");
    await("/api/deployments/" + made.get("deploymentId"), "status", "completed");
    await("/api/applications/safe", "state", "active");
    assertThat(checks("safe")).containsExactly("onboard succeeded", "scan succeeded");
    running.as(dora).delete("/api/applications/safe?confirm=safe").expect(202);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> running.as(dora).get("/api/applications/safe").status() == 404);
    reload("").expect(200);
  }

  @Test
  void a_failed_platform_workflow_is_the_end_of_the_deployment() throws IOException {
    reload("workflowPolicies: {requiredPlatformWorkflows: [scan, count]}").expect(200);
    var made = running.as(dora).yaml("/api/specs", score("unsafe", "plain")).expect(201).json();
    String deployment = "/api/deployments/" + made.get("deploymentId");
    await(deployment, "status", "failed");
    assertThat(running.as(dora).get(deployment).body())
        .contains("platform-workflow-failed", "'scan' failed", "unsafe is on the list");
    assertThat(checks("unsafe")).as("the second one never began").containsExactly("scan failed");
    assertThat(running.as(dora).get("/api/resources?app=unsafe").expect(200).json())
        .containsEntry("total", 0L);
    reload("workflowPolicies: {requiredPlatformWorkflows: [scann]}").expect(200);
    assertThat(running.as(dora).yaml("/api/specs", score("unchecked", "plain")).expect(409).body())
        .contains("policy-refused", "requiredPlatformWorkflows", "Did you mean 'scan'?");
    reload("").expect(200);
    running.as(dora).yaml("/api/specs", score("unsafe", "plain")).expect(200);
    await("/api/applications/unsafe", "state", "active");
  }

  @Test
  void a_run_that_takes_too_long_is_stopped() throws IOException {
    reload("workflowPolicies: {maxWorkflowDuration: 1s}").expect(200);
    running.as(dora).yaml("/api/specs", score("endless", "lasting")).expect(201);
    String run = run("endless");
    await(run, "status", "failed");
    assertThat(running.asAdmin().get(run).body())
        .contains("run-timeout", "workflowPolicies.maxWorkflowDuration");
    reload("").expect(200);
  }

  @Test
  void no_more_runs_are_worked_on_than_allowed_and_all_get_their_turn() throws IOException {
    reload("workflowPolicies: {maxConcurrentWorkflows: 1}").expect(200);
    running.as(dora).yaml("/api/specs", score("turn-one", "lasting")).expect(201);
    await(run("turn-one"), "status", "running");
    running.as(dora).yaml("/api/specs", score("turn-two", "lasting")).expect(201);
    running.as(dora).yaml("/api/specs", score("turn-three", "plain")).expect(201);
    assertThat(running.asAdmin().get(run("turn-three")).json()).containsEntry("status", "pending");
    running.as(dora).post(run("turn-two") + "/cancel", "").expect(202);
    await(run("turn-two"), "status", "cancelled");
    assertThat(running.asAdmin().get(run("turn-three")).json()).containsEntry("status", "pending");
    Files.writeString(home.resolve("go"), "");
    await("/api/applications/turn-one", "state", "active");
    await("/api/applications/turn-three", "state", "active");
    Files.delete(home.resolve("go"));
    reload("").expect(200);
  }

  @Test
  void a_granted_secret_arrives_and_its_replacement_is_used_by_the_next_run() throws IOException {
    reload("").expect(200);
    Files.writeString(home.resolve("npm"), "first-secret");
    assertThat(digest("user-one")).isEqualTo(sha256("first-secret"));
    Files.writeString(home.resolve("npm"), "a-second-secret");
    assertThat(digest("user-two")).isEqualTo(sha256("a-second-secret"));
    Files.delete(home.resolve("npm"));
    assertThat(digest("user-three"))
        .as("the last value stays in use")
        .isEqualTo(sha256("a-second-secret"));
    Files.writeString(home.resolve("npm"), "first-secret");
    reload("workflowPolicies: {security: {secretsAccess: {tools: []}}}").expect(200);
    assertThat(digest("user-four")).as("taken back by the policy").isEqualTo(sha256(""));
    reload("").expect(200);
  }

  private Object digest(String app) {
    running.as(dora).yaml("/api/specs", score(app, "secretive")).expect(201);
    await("/api/applications/" + app, "state", "active");
    return ((Map<?, ?>) step(run(app), "use").get("outputs")).get("digest");
  }

  private static String sha256(String text) {
    try {
      return java.util.HexFormat.of()
          .formatHex(java.security.MessageDigest.getInstance("SHA-256").digest(text.getBytes()));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void an_invalid_configuration_is_not_taken() throws IOException {
    reload("policies: {allowedEnvironments: [staging]}").expect(200);
    var refused = reload("policies: {allowedEnvironments: 7}\nengine: {lease: 1ms}\n").expect(422);
    assertThat(refused.body())
        .contains("The one from before stays in force")
        .contains("policies.allowedEnvironments")
        .contains("engine.lease");
    assertThat(running.asAdmin().get("/api/admin/config").expect(200).body()).contains("staging");
    running.as(dora).yaml("/api/specs?environment=other", score("kept", "plain")).expect(422);
    assertThat(reload("engine: {workers: 3}\npolices: {enforceBackups: true}\n").expect(200).body())
        .contains("Did you mean 'policies'?", "takes effect when the server is started again");
    Files.delete(config);
    assertThat(running.asAdmin().post("/api/admin/reload", "").expect(422).body())
        .contains("cannot be read");
    reload("").expect(200);
  }

  @Test
  void a_resource_that_fails_without_a_run_is_counted() throws IOException {
    reload("").expect(200);
    String score =
        score("inputless", "plain")
            + "  other:\n    type: plain\n    params: {from: '${resources.files.nothing}'}\n";
    running.as(dora).yaml("/api/specs", score).expect(201);
    await("/api/applications/inputless", "state", "failed");
    assertThat(running.asNobody().get("/metrics").body())
        .containsPattern(
            "provisioning_failures_total\\{error=\"input\",.*resource_type=\"plain\"} 1");
  }
}
