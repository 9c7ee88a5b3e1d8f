package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.testbed.TestControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Beside each happy case another team tries to reach what it made. */
class ProviderOwnershipTest {
  private static final String BESIDE = ", and another team does not reach it";

  @TempDir Path directory;
  private final Cli cli = new Cli();

  @ParameterizedTest
  @ValueSource(strings = {"volume", "git-repo", "postgres"})
  void no_team_reaches_what_a_bundled_provider_made_for_another_one(String provider) {
    Cli.Result test =
        cli.run("provider", "test", Path.of("../providers", provider)).expect(ExitCode.OK);
    assertThat(test.err()).contains("goes away" + BESIDE).doesNotContain("FAILED");
  }

  @ParameterizedTest
  @ValueSource(strings = {"volume-claim", "workload"})
  void nor_what_one_made_in_a_cluster(String provider) throws IOException {
    Path config =
        Files.writeString(
            directory.resolve("cluster.yaml"),
            "clusters: {workloads: {kubeconfig: '${file:%s}', namespaces: ['{team}-*']}}\n"
                .formatted(TestControlPlane.kubeconfig()));
    Path tested = Path.of("../providers", provider);
    Cli.Result test = cli.run("provider", "test", tested, "--config", config).expect(ExitCode.OK);
    assertThat(test.err()).contains("goes away" + BESIDE).doesNotContain("FAILED");
  }

  @Test
  void providers_that_share_drop_or_take_things_fail_and_their_authors_read_why()
      throws IOException {
    Path provider = provider();
    Cli.Result test = cli.run("provider", "test", provider).expect(ExitCode.FAILED);
    String said = test.err();
    assertThat(said)
        .contains("6 passed, 4 failed")
        .contains("ok      a stamped one is made" + BESIDE);
    assertThat(beside(said, "a joined one is made"))
        .contains(
            "life.yaml:4:5: another team tries: names that are the first team's when they are"
                + " joined",
            "outputs.path",
            "default-owned1-api-subject\", the first team's",
            "End derived names in the last 8 digits of {{ .parameters.resource_id }}");
    assertThat(beside(said, "a recorded one is made"))
        .contains(
            "another team tries: a record that names the first team's thing",
            "+ (gone)",
            "end a script with 77");
    assertThat(beside(said, "a named one is made"))
        .contains("another team tries: the first team's names, after it left its thing behind");
    assertThat(beside(said, "a taking one is made"))
        .contains(
            "another team tries: something that is there already", "verify", "- yours", "+ mine");
  }

  private static String beside(String said, String name) {
    String from = said.substring(said.indexOf("FAILED  " + name + BESIDE));
    int next = from.indexOf("  ok  ");
    return next < 0 ? from : from.substring(0, next);
  }

  private Path provider() throws IOException {
    Path provider = directory.resolve("careless");
    Files.createDirectories(provider.resolve("tests"));
    StringBuilder manifest =
        new StringBuilder(
            """
            apiVersion: v1
            kind: Provider
            metadata: {name: careless, version: 0.1.0}
            capabilities:
              resourceTypeCapabilities:
            """);
    StringBuilder workflows = new StringBuilder("workflows:\n");
    String names = "{{ .parameters.app_name }}%s{{ .parameters.resource_name }}";
    String end = "-{{ substr 28 36 .parameters.resource_id }}";
    String derived = "\"$SLIPWAY_PROVIDER_DATA\"/{{ .parameters.environment }}";
    String make = "mkdir -p \"$box\"; echo mine > \"$box/file\"";
    String stamped =
        "if [ ! -e \"$box\" ]; then mkdir -p \"$box\"; echo \"$id\" > \"$box/owner\"; fi;"
            + " [ \"$(cat \"$box/owner\")\" = \"$id\" ] || exit 77";
    String drop = "rm -rf \"$box\"";
    String recorded = "{{ get .outputs \"path\" }}";
    for (String[] kind :
        new String[][] {
          {"joined", derived + "-" + names.formatted("-"), make, recorded, drop},
          {"recorded", derived + "/" + names.formatted("/") + end, make, recorded, drop},
          {"named", derived + "/" + names.formatted("/"), make, null, drop},
          {"taking", derived + "/" + names.formatted("/") + end, make, recorded, "true"},
          {
            "stamped",
            derived + "/" + names.formatted("/"),
            stamped,
            recorded,
            "[ ! -e \"$box\" ] || [ \"$(cat \"$box/owner\")\" = \"$id\" ] || exit 77; " + drop
          }
        }) {
      manifest.append(
          "    - {type: %1$s, operations: {create: {workflow: create-%1$s}, delete: {workflow: delete-%1$s}}}\n"
              .formatted(kind[0]));
      workflow(provider, workflows, "create-" + kind[0], kind[1], kind[2]);
      workflow(
          provider, workflows, "delete-" + kind[0], kind[3] == null ? kind[1] : kind[3], kind[4]);
    }
    Files.writeString(provider.resolve("provider.yaml"), manifest.append(workflows));
    Files.writeString(
        provider.resolve("tests/life.yaml"),
        """
        apiVersion: slipway.dev/v1alpha1
        kind: ProviderTest
        cases:
          - {name: a joined one is made, type: joined}
          - {name: a recorded one is made, type: recorded}
          - {name: a named one is made, type: named}
          - name: a taking one is made
            type: taking
            ownership:
              verify: cat "$SLIPWAY_PROVIDER_DATA/$ENVIRONMENT/$APP_NAME/$RESOURCE_NAME-"*/file
              existing:
                script: |
                  box="$SLIPWAY_PROVIDER_DATA/$ENVIRONMENT/$APP_NAME/$RESOURCE_NAME-${RESOURCE_ID: -8}"
                  mkdir -p "$box"
                  echo yours > "$box/file"
          - {name: a stamped one is made, type: stamped}
        """);
    return provider;
  }

  private static void workflow(
      Path provider, StringBuilder list, String name, String box, String action)
      throws IOException {
    list.append("  - {name: %1$s, file: ./%1$s.yaml}\n".formatted(name));
    Files.writeString(
        provider.resolve(name + ".yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: %s}
        steps:
          - name: act
            type: shell
            config:
              script: |
                set -eu
                id={{ .parameters.resource_id }}
                box=%s
                %s
                echo "OUTPUT_path=$box"
        outputs:
          path: '{{ .steps.act.output.path }}'
        """
            .formatted(name, box, action));
  }
}
