package dev.slipway.engine.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepType.Code;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import dev.slipway.engine.workflow.StepTypes;
import dev.slipway.engine.workflow.WorkflowParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What policies refuse when a provider is loaded, by which words, and where they point to. */
class WorkflowRulesTest {
  private static final StepTypes TYPES =
      new StepTypes(
          List.of(
              new StepType(
                  "shell",
                  Set.of("policy", "script"),
                  List.of(new Field("script", Kind.SCRIPT, Need.OPTIONAL, "the script")),
                  1,
                  Code.RUNS),
              new StepType(
                  "http",
                  Set.of(),
                  List.of(
                      new Field("url", Kind.TEXT, Need.OPTIONAL, "where"),
                      new Field("headers", Kind.MAP, Need.OPTIONAL, "with")),
                  1,
                  Code.NONE),
              new StepType("noop", Set.of(), List.of(), 1, Code.NONE),
              new StepType(
                  "sql",
                  Set.of(),
                  List.of(
                      new Field("connection", Kind.TEXT, Need.REQUIRED, "which")
                          .granted(StepType.Grant.CONNECTIONS)),
                  1,
                  Code.NONE)));

  private static final String SECRET = "secrets: {npm-token: '${env:NPM}', other: '${env:NPM}'}\n";

  @TempDir Path root;
  private LiveRegistry live;
  private WorkflowRules rules;

  private static WorkflowRules rules(String config) {
    Diagnostics diagnostics = new Diagnostics();
    Document document =
        Document.parse("admin-config.yaml", config, Limits.DEFAULT, diagnostics).orElseThrow();
    AdminConfig parsed =
        new AdminConfigParser(Path.of("/"), Map.of("NPM", "npm-secret-1")::get)
            .parse(document, diagnostics);
    assertThat(diagnostics.errors()).isEmpty();
    return new WorkflowRules(parsed, TYPES);
  }

  /** Loads a provider of team dba with this one workflow, granted the secret npm-token. */
  private Registry load(String config, String steps) {
    rules = rules(config);
    if (live == null) {
      ProviderSource source =
          new ProviderSource(
              new ProviderSource.Location.Directory(root.resolve("p")),
              null,
              0,
              "dba",
              List.of(),
              java.time.Duration.ofMinutes(1),
              Grants.NONE.withSecrets(List.of("npm-token")).withConnections("main"));
      live =
          new LiveRegistry(
              new ProviderLoader(new WorkflowParser(TYPES)::parse),
              List.of(source),
              provider -> rules.refusals(provider));
    }
    ProviderFiles.write(root.resolve("p"), ProviderFiles.simple("cache", "redis"));
    try {
      Files.writeString(
          root.resolve("p/w.yaml"),
          """
          apiVersion: workflow.dev/v1
          kind: Workflow
          metadata: {name: make}
          spec:
            steps:
          """
              + steps.indent(4));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return live.reload();
  }

  private static List<String> refusals(Registry registry) {
    return registry.problems().stream()
        .peek(p -> assertThat(p.kind()).isEqualTo(ProviderProblem.Kind.REFUSED))
        .flatMap(p -> p.diagnostics().stream())
        .map(Diagnostic::text)
        .distinct()
        .toList();
  }

  @Test
  void a_connection_that_is_not_granted_keeps_its_provider_out_of_service() {
    assertThat(
            refusals(
                load(
                    "policies: {}",
                    """
                    - {name: a, type: sql, connection: main}
                    - name: b
                      type: sql
                      config: {connection: other}
                      compensate:
                        - {name: c, type: sql, connection: '{{ .config.none }}'}
                    """)))
        .containsExactly(
            "p/w.yaml:9:28: spec.steps[1].config.connection: the connection 'other' is not granted"
                + " to provider 'cache' (policy providers[].grants.connections). Add it to the"
                + " provider's grants.connections in the configuration.",
            "p/w.yaml:11:44: spec.steps[1].compensate[0].connection: the connection '' is not"
                + " granted to provider 'cache' (policy providers[].grants.connections). Add it to"
                + " the provider's grants.connections in the configuration.");
    assertThat(load("policies: {}", "- {name: a, type: sql, connection: main}").problems())
        .isEmpty();
  }

  @Test
  void a_step_type_that_is_not_allowed_keeps_its_provider_out_of_service() {
    Registry registry =
        load("workflowPolicies: {allowedStepTypes: [http]}", "- {name: a, type: noop}");
    assertThat(registry.providers()).isEmpty();
    assertThat(refusals(registry))
        .containsExactly(
            "p/w.yaml:6:23: spec.steps[0].type: steps of type 'noop' are not allowed"
                + " (policy workflowPolicies.allowedStepTypes). Allowed are http.");
    assertThat(registry.resolve("redis", Operation.CREATE, List.of(), "default"))
        .isInstanceOf(Resolution.Barred.class);
  }

  @Test
  void an_alias_counts_as_its_type() {
    assertThat(
            load(
                    "workflowPolicies: {allowedStepTypes: [policy], security: {allowedExecutors:"
                        + " [dba]}}",
                    "- {name: a, type: script}")
                .problems())
        .isEmpty();
    assertThat(
            refusals(
                load("workflowPolicies: {allowedStepTypes: [http]}", "- {name: a, type: script}")))
        .singleElement()
        .asString()
        .contains("'shell' are not allowed");
  }

  @Test
  void steps_that_undo_others_are_held_to_the_same() {
    Registry registry =
        load(
            "workflowPolicies: {allowedStepTypes: [noop]}",
            """
            - name: a
              type: noop
              compensate: [{name: b, type: http}]
              on_error:
                action: rollback
                rollback_steps:
                  - name: c
                    type: shell
                    script: exit
            """);
    assertThat(refusals(registry))
        .extracting(text -> text.substring(0, text.indexOf(" steps of")))
        .containsExactly(
            "p/w.yaml:8:36: spec.steps[0].compensate[0].type:",
            "p/w.yaml:13:19: spec.steps[0].on_error.rollback_steps[0].type:");
  }

  @Test
  void a_workflow_may_have_fifty_steps_or_as_many_as_configured() {
    String fifty =
        IntStream.range(0, 50)
            .mapToObj(i -> "- {name: s" + i + ", type: noop}\n")
            .collect(Collectors.joining());
    assertThat(load("{}", fifty).problems()).isEmpty();
    assertThat(refusals(load("{}", fifty + "- {name: more, type: noop}")))
        .singleElement()
        .asString()
        .startsWith("p/w.yaml:6:")
        .contains("has 51 steps, and at most 50 are allowed")
        .contains("workflowPolicies.maxStepsPerWorkflow");
    String two = "- {name: a, type: noop, compensate: [{name: undo, type: noop}]}";
    assertThat(load("workflowPolicies: {maxStepsPerWorkflow: 2}", two).problems()).isEmpty();
    assertThat(refusals(load("workflowPolicies: {maxStepsPerWorkflow: 1}", two))).hasSize(1);
  }

  @Test
  void only_the_platform_team_runs_code_unless_the_policy_lists_teams() {
    String code = "- {name: a, type: shell, config: {script: 'true'}}";
    assertThat(refusals(load("{}", code)))
        .containsExactly(
            "p/w.yaml:6:23: spec.steps[0].type: provider 'cache' of team 'dba' may not run code"
                + " (policy workflowPolicies.security.allowedExecutors)."
                + " Step type 'shell' is for providers of platform.");
  }

  @Test
  void only_listed_teams_run_code() {
    String code = "- {name: a, type: shell, config: {script: 'true'}}";
    assertThat(refusals(load("workflowPolicies: {security: {allowedExecutors: [platform]}}", code)))
        .containsExactly(
            "p/w.yaml:6:23: spec.steps[0].type: provider 'cache' of team 'dba' may not run code"
                + " (policy workflowPolicies.security.allowedExecutors)."
                + " Step type 'shell' is for providers of platform.");
    assertThat(
            load("workflowPolicies: {security: {allowedExecutors: [platform, dba]}}", code)
                .problems())
        .isEmpty();
    assertThat(
            load(
                    "workflowPolicies: {security: {allowedExecutors: [platform]}}",
                    "- {name: a, type: http, config: {url: 'http://x'}}")
                .problems())
        .isEmpty();
  }

  @Test
  void only_listed_workflows_are_golden_paths_and_sub_workflows() {
    WorkflowRules some = rules("workflowPolicies: {allowedProductWorkflows: [onboard, web/setup]}");
    assertThat(some.product("people", "onboard")).isEmpty();
    assertThat(some.product("web", "setup")).isEmpty();
    assertThat(some.product("people", "web/setup")).isEmpty();
    assertThat(some.product("people", "setup").orElseThrow().message())
        .isEqualTo(
            "the workflow 'setup' is not among the allowed ones"
                + " (policy workflowPolicies.allowedProductWorkflows)");
    assertThat(rules("{}").product("people", "setup")).isEmpty();
  }

  @Test
  void a_tightened_policy_stops_a_version_that_was_good_before() {
    assertThat(load("{}", "- {name: a, type: noop}").providers()).hasSize(1);
    rules = rules("workflowPolicies: {allowedStepTypes: [http]}");
    Registry after = live.reload();
    assertThat(after.providers()).isEmpty();
    assertThat(after.known("cache")).isPresent();
    assertThat(after.resolveWith("cache", "redis", Operation.UPDATE, List.of()))
        .isInstanceOf(Resolution.Barred.class);
    assertThat(after.resolveWith("cache", "redis", Operation.DELETE, List.of()))
        .as("what is there can still be taken away")
        .isInstanceOf(Resolution.Found.class);
    rules = rules("{}");
    assertThat(live.reload().providers()).hasSize(1);
  }

  @Test
  void a_broken_new_version_does_not_bring_a_forbidden_old_one_back() throws IOException {
    load("{}", "- {name: a, type: noop}");
    rules = rules("workflowPolicies: {allowedStepTypes: [http]}");
    Files.writeString(root.resolve("p/w.yaml"), "kind: [");
    assertThat(live.reload().providers()).isEmpty();
  }

  @Test
  void a_secret_that_is_not_granted_is_found_when_the_provider_loads() {
    String step =
        "- {name: a, type: http, config: {url: 'http://x', headers: {A: '{{ .context.secrets.%s"
            + " }}'}}}";
    assertThat(load(SECRET, step.formatted("npm-token")).problems()).isEmpty();
    assertThat(refusals(load(SECRET, step.formatted("other"))))
        .singleElement()
        .asString()
        .startsWith("p/w.yaml:6:")
        .contains("the secret 'other' is not granted to provider 'cache'")
        .contains("providers[].grants.secrets");
  }

  @Test
  void secrets_access_narrows_grants_by_provider_and_by_team() {
    String access = SECRET + "workflowPolicies: {security: {secretsAccess: {%s: [%s]}}}";
    assertThat(granted("{}")).containsExactly("npm-token");
    assertThat(granted(access.formatted("cache", "npm-token"))).containsExactly("npm-token");
    assertThat(granted(access.formatted("cache", "other"))).isEmpty();
    assertThat(granted(access.formatted("dba", ""))).isEmpty();
    assertThat(granted(access.formatted("somebody-else", ""))).containsExactly("npm-token");
    assertThat(
            refusals(
                load(
                    access.formatted("cache", ""),
                    "- {name: a, type: http, config: {url: '{{ .context.secrets.npm-token }}'}}")))
        .singleElement()
        .asString()
        .contains("policy workflowPolicies.security.secretsAccess");
  }

  private List<String> granted(String config) {
    Registry registry = load(config, "- {name: a, type: noop}");
    return ProviderRules.of("cache", rules, registry).grants().secrets();
  }

  @Test
  void a_granted_secret_arrives_under_the_name_of_a_variable() {
    Registry registry = load(SECRET, "- {name: a, type: noop}");
    ProviderRules cache = ProviderRules.of("cache", rules, registry);
    assertThat(cache.variables()).isEqualTo(Map.of("NPM_TOKEN", "npm-secret-1"));
    assertThat(ProviderRules.of("nobody", rules, registry).variables()).isEmpty();
  }

  @Test
  void a_provider_serves_its_environments_only_but_deletes_everywhere() {
    load("{}", "- {name: a, type: noop}");
    ProviderSource source =
        new ProviderSource(
            new ProviderSource.Location.Directory(root),
            null,
            0,
            "dba",
            List.of("staging"),
            java.time.Duration.ofMinutes(1),
            Grants.NONE);
    ProviderRules cache = new ProviderRules("cache", rules, source);
    var workflow = live.current().provider("cache").orElseThrow().definitions().get("make");
    assertThat(cache.run(workflow.workflow(), "staging", "create", Map.of())).isEmpty();
    assertThat(cache.run(workflow.workflow(), "production", "delete", Map.of())).isEmpty();
    assertThat(
            cache
                .run(workflow.workflow(), "production", "update", Map.of())
                .orElseThrow()
                .message())
        .isEqualTo(
            "provider 'cache' may not serve the environment 'production'"
                + " (policy providers[].environments)");
  }
}
