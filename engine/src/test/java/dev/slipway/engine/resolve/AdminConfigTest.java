package dev.slipway.engine.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.grammar.Form;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminConfigTest {
  @TempDir Path base;
  private final Diagnostics diagnostics = new Diagnostics();

  private AdminConfig parse(String text) {
    Document document =
        Document.parse("admin-config.yaml", text, Limits.DEFAULT, diagnostics).orElseThrow();
    return new AdminConfigParser(base, Map.of("PG_PASSWORD", "hunter2")::get)
        .parse(document, diagnostics);
  }

  @Test
  void an_empty_file_is_the_default() {
    AdminConfig config = parse("{}");
    assertThat(diagnostics.all()).isEmpty();
    assertThat(config.engine()).isEqualTo(AdminConfig.EngineConfig.DEFAULT);
    assertThat(config.workflowPolicies().maxStepsPerWorkflow()).isEqualTo(50);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hello", "[hello]", "7"})
  void a_file_that_is_no_map_is_an_error(String text) {
    parse(text);
    assertThat(diagnostics.errors())
        .singleElement()
        .satisfies(error -> assertThat(error.message()).contains("a map"));
  }

  @Test
  void the_documented_values_are_those_that_count_when_nothing_is_written() {
    String written =
        """
        engine: {%s, limits: {%s}}
        retention: {%s}
        observe: {%s}
        policies: {%s}
        workflowPolicies: {%s, security: {%s}}
        """
            .formatted(
                documented(AdminForms.ENGINE),
                documented(AdminForms.LIMITS),
                documented(AdminForms.RETENTION),
                documented(AdminForms.OBSERVE),
                documented(AdminForms.POLICIES),
                documented(AdminForms.WORKFLOW_POLICIES),
                documented(AdminForms.SECURITY));

    AdminConfig config = parse(written);

    assertThat(diagnostics.all()).as(written).isEmpty();
    assertThat(config.engine()).as(written).isEqualTo(AdminConfig.DEFAULT.engine());
    assertThat(config.retention()).as(written).isEqualTo(AdminConfig.DEFAULT.retention());
    assertThat(config.observe()).as(written).isEqualTo(AdminConfig.DEFAULT.observe());
    assertThat(config.policies()).as(written).isEqualTo(AdminConfig.DEFAULT.policies());
    assertThat(config.workflowPolicies())
        .as(written)
        .isEqualTo(AdminConfig.DEFAULT.workflowPolicies());
  }

  /** Fields with a value for what is left out, unless that is described in words. */
  private static String documented(Form form) {
    return form.fields().stream()
        .filter(field -> field.usual().matches("[0-9]+[A-Za-z]*|true|false|report"))
        .map(field -> field.name() + ": " + field.usual())
        .collect(Collectors.joining(", "));
  }

  @Test
  void limits_for_programs_are_sizes_and_numbers() {
    AdminConfig config =
        parse(
            "engine: {limits: {memory: 512Mi, processes: 50, output: 1.5M, disk: 1048576,"
                + " user: steps}}");

    assertThat(diagnostics.all()).isEmpty();
    assertThat(config.engine().limits())
        .isEqualTo(
            new ProcessLimits(
                512L << 20, 50, 1_500_000, 1 << 20, ProcessLimits.DEFAULT.openFiles(), "steps"));
  }

  @Test
  void a_limit_that_is_no_size_or_too_small_says_what_to_write() {
    parse("engine: {limits: {memory: lots, disk: 5}}");

    assertThat(diagnostics.errors())
        .extracting(d -> d.text())
        .containsExactly(
            "admin-config.yaml:1:27: engine.limits.memory: expected a size of at least 1 MiB, found"
                + " the string 'lots'. Write bytes (1048576) or units like 64Mi, 2Gi, 500M.",
            "admin-config.yaml:1:39: engine.limits.disk: expected a size of at least 64 KiB, found"
                + " the integer 5. Write bytes (1048576) or units like 64Mi, 2Gi, 500M.");
  }

  @Test
  void a_connection_to_a_kind_of_database_without_a_driver_is_an_error() {
    parse("connections: {old: {url: 'jdbc:oracle:thin:@db'}, new: {url: 'jdbc:mysql://db/x'}}");

    assertThat(diagnostics.errors())
        .extracting(d -> d.text())
        .containsExactly(
            "admin-config.yaml:1:26: connections.old.url: no database that sql steps can use. The"
                + " url has to begin with jdbc:postgresql: or jdbc:mariadb: or jdbc:mysql:.");
  }

  @Test
  void both_spellings_of_a_source_are_read_and_a_disabled_one_is_left_out() {
    AdminConfig config =
        parse(
            """
            providers:
              - {source: filesystem, path: ./providers/database-team, precedence: 10, team: dba}
              - {type: git, repository: 'https://git.example/storage.git', tag: v1.2.3, path: sub}
              - {source: filesystem, path: ./old, enabled: false}
            """);
    assertThat(diagnostics.all()).isEmpty();
    assertThat(config.providers()).hasSize(2);
    assertThat(config.providers().getFirst().location())
        .isEqualTo(new ProviderSource.Location.Directory(base.resolve("providers/database-team")));
    assertThat(config.providers().getFirst().precedence()).isEqualTo(10);
    assertThat(config.providers().get(1).location())
        .isEqualTo(
            new ProviderSource.Location.Git(
                "https://git.example/storage.git",
                "v1.2.3",
                ProviderSource.RefKind.TAG,
                "sub",
                null));
  }

  @Test
  void credentials_of_a_repository_are_read_from_references_and_never_shown() throws IOException {
    Files.writeString(base.resolve("key"), "-----BEGIN KEY-----");
    Files.writeString(base.resolve("hosts"), "git.example ssh-ed25519 AAAA");
    AdminConfig config =
        parse(
            """
            providers:
              - {source: git, url: 'https://git.example/a.git', credentials: '${env:PG_PASSWORD}'}
              - source: git
                url: https://git.example/b.git
                credentials: {username: robot, password: '${env:PG_PASSWORD}'}
              - source: git
                url: ssh://git@git.example/c.git
                credentials: {privateKey: '${file:key}', knownHosts: '${file:hosts}'}
            """);
    assertThat(diagnostics.all()).isEmpty();
    assertThat(config.providers())
        .map(s -> ((ProviderSource.Location.Git) s.location()).access())
        .containsExactly(
            new GitAccess.Password(null, "hunter2"),
            new GitAccess.Password("robot", "hunter2"),
            new GitAccess.PrivateKey("-----BEGIN KEY-----", null, "git.example ssh-ed25519 AAAA"));
    assertThat(config.toString()).doesNotContain("hunter2", "BEGIN KEY");
  }

  @Test
  void what_is_wrong_with_a_repository_is_reported_where_it_stands() {
    AdminConfig config =
        parse(
            """
            providers:
              - {source: git, url: 'https://me:hunter2@git.example/a.git'}
              - {source: git, url: 'https://git.example/a.git', path: ../../etc}
              - {source: git, url: 'https://git.example/a.git', path: /etc}
              - {source: git, url: 'https://git.example/a.git', commit: abc123}
              - {source: git, url: 'https://git.example/a.git', tag: a, branch: b}
              - {source: git, url: 'https://git.example/a.git', credentials: {username: robot}}
              - {source: git, url: 'ssh://git.example/a.git', credentials: {privateKey: '${env:PG_PASSWORD}'}}
            """);
    assertThat(diagnostics.all())
        .map(d -> d.line() + ": " + d.message())
        .contains(
            "2: the URL holds a password",
            "3: '../../etc' leads out of the repository",
            "4: '/etc' leads out of the repository",
            "5: no full commit id",
            "6: only one of ref, tag, branch, commit may be given",
            "7: either a password or a private key is needed",
            "8: a private key needs knownHosts");
    assertThat(diagnostics.toString() + config.providers()).doesNotContain("hunter2");
  }

  @Test
  void references_are_replaced_and_the_view_keeps_them_as_written() throws IOException {
    Files.writeString(base.resolve("user"), "admin\n");
    AdminConfig config =
        parse(
            """
            connections:
              admin-pg:
                url: jdbc:postgresql://db.example/postgres
                username: ${file:user}
                password: ${env:PG_PASSWORD}
            """);
    assertThat(config.connections().get("admin-pg"))
        .isEqualTo(
            new AdminConfig.Connection(
                "jdbc:postgresql://db.example/postgres", "admin", "hunter2"));
    assertThat(config.view().toString()).contains("${env:PG_PASSWORD}").doesNotContain("hunter2");
    assertThat(config.toString()).doesNotContain("hunter2");
  }

  @Test
  void a_literal_secret_warns_and_is_masked() {
    AdminConfig config =
        parse("connections: {pg: {url: 'jdbc:mysql:x', username: u, password: hunter2}}");
    assertThat(diagnostics.hasErrors()).isFalse();
    assertThat(diagnostics.all().getFirst().text())
        .contains(
            "admin-config.yaml:1:64: warning: connections.pg.password: a secret is written in the"
                + " file");
    assertThat(config.view().toString()).contains("password=***");
  }

  @Test
  void an_unset_variable_is_an_error_and_an_unknown_key_a_warning() {
    parse("engine: {lease: '${env:NOPE}', workrs: 3}\n");
    assertThat(diagnostics.errors().getFirst().text())
        .startsWith("admin-config.yaml:1:17: engine.lease: environment variable 'NOPE' is not set");
    assertThat(diagnostics.warnings().getFirst().text()).contains("Did you mean 'workers'?");
  }

  @Test
  void policies_are_read() {
    AdminConfig config =
        parse(
            """
            engine: {pollInterval: 1s, workers: 3, lease: 10s}
            policies: {allowedEnvironments: [staging], enforceBackups: true}
            workflowPolicies:
              maxWorkflowDuration: 1h30m
              allowedStepTypes: [sql]
              security: {requireApproval: [production], secretsAccess: {dba: [pg]}}
            """);
    assertThat(diagnostics.all()).isEmpty();
    assertThat(config.policies().mayCreate("staging")).isTrue();
    assertThat(config.policies().mayCreate("production")).isFalse();
    assertThat(config.workflowPolicies().maxWorkflowDuration()).isEqualTo(Duration.ofMinutes(90));
    assertThat(config.workflowPolicies().requireApproval()).containsExactly("production");
    assertThat(config.workflowPolicies().secretsAccess()).containsKey("dba");
  }

  @Test
  void secrets_are_read_from_where_they_are_and_granted_by_name() throws IOException {
    Files.writeString(base.resolve("npm"), "npm-secret\n");
    AdminConfig config =
        parse(
            """
            secrets: {npm-token: '${file:npm}', pg: '${env:PG_PASSWORD}'}
            providers:
              - {source: filesystem, path: ./p, grants: {secrets: [npm-token]}}
            """);
    assertThat(diagnostics.all()).isEmpty();
    assertThat(config.secrets()).containsEntry("npm-token", "npm-secret");
    assertThat(config.files()).containsOnlyKeys(base.resolve("npm"));
    assertThat(config.files()).isEqualTo(config.filesNow());
    Files.writeString(base.resolve("npm"), "another-secret\n");
    assertThat(config.files()).isNotEqualTo(config.filesNow());
    assertThat(config.toString()).doesNotContain("npm-secret");
  }

  @Test
  void a_missing_file_names_its_key_and_place() {
    parse("secrets:\n  npm-token: ${file:no/such}\n");
    assertThat(diagnostics.errors().getFirst().text())
        .isEqualTo(
            "admin-config.yaml:2:14: secrets.npm-token: file 'no/such' cannot be read."
                + " Paths are relative to the configuration.");
  }

  @Test
  void a_grant_of_a_secret_that_is_not_configured_is_an_error() {
    parse(
        """
        secrets: {npm-token: '${env:PG_PASSWORD}'}
        providers: [{source: filesystem, path: ./p, grants: {secrets: [npm-tokn]}}]
        """);
    assertThat(diagnostics.errors().getFirst().text())
        .startsWith("admin-config.yaml:2:")
        .contains("providers[0].grants.secrets")
        .contains("no secret 'npm-tokn' is configured")
        .contains("Did you mean 'npm-token'?");
  }

  @Test
  void a_grant_of_a_connection_that_is_not_configured_is_an_error() {
    parse(
        """
        connections: {main: {url: 'jdbc:postgresql://localhost/x'}}
        providers: [{source: filesystem, path: ./p, grants: {connections: [main, postgres, mian]}}]
        """);
    assertThat(diagnostics.errors())
        .singleElement()
        .extracting(d -> d.text())
        .asString()
        .startsWith("admin-config.yaml:2:")
        .contains("providers[0].grants.connections")
        .contains("no connection 'mian' is configured")
        .contains("Did you mean 'main'?");
  }

  @Test
  void secrets_that_steps_would_confuse_are_errors() {
    parse("secrets: {path: '${env:PG_PASSWORD}', a-b: '${env:PG_PASSWORD}', a_b: x, 'c.d': x}");
    assertThat(diagnostics.errors())
        .extracting(d -> d.message())
        .containsExactly(
            "steps could not tell 'path' from their own variable PATH",
            "'a_b' and 'a-b' are both A_B to steps",
            "'c.d' is no name for a secret");
  }

  @Test
  void a_secret_in_the_file_itself_warns_wherever_it_is() {
    AdminConfig config =
        parse(
            """
            secrets: {npm: literal-one}
            connections: {pg: {url: 'jdbc:postgresql://u:literal-two@db/x?password=literal-three'}}
            gitea: {url: 'http://git', token: literal-four}
            argocd: {url: 'http://x', password: '${env:PG_PASSWORD}literal-five'}
            """);
    assertThat(diagnostics.errors()).isEmpty();
    assertThat(diagnostics.warnings()).hasSize(4);
    assertThat(config.view().toString()).doesNotContain("literal-");
  }

  @Test
  void keys_of_older_configurations_are_accepted() {
    parse(
        """
        admin: {defaultCostCenter: engineering}
        resourceDefinitions: {postgres: managed}
        workflowOverrides: {platform: true}
        providers: [{name: builtin, type: filesystem, category: infrastructure, path: ./p}]
        workflowPolicies:
          workflowsRoot: ./workflows
          workflowOverrides: {platform: true}
          security: {secretsAccess: {vault: read-only}}
        """);
    assertThat(diagnostics.errors()).isEmpty();
    assertThat(diagnostics.warnings())
        .singleElement()
        .asString()
        .contains("secretsAccess.vault: a word restricts nothing");
  }

  @Test
  void values_that_cannot_work_are_errors() {
    parse(
        """
        engine: {pollInterval: 1ms, lease: 1h}
        workflowPolicies: {maxWorkflowDuration: 1ms, maxConcurrentWorkflows: 0}
        """);
    assertThat(diagnostics.errors())
        .extracting(d -> d.path())
        .containsExactlyInAnyOrder(
            "engine.pollInterval",
            "engine.lease",
            "workflowPolicies.maxWorkflowDuration",
            "workflowPolicies.maxConcurrentWorkflows");
  }
}
