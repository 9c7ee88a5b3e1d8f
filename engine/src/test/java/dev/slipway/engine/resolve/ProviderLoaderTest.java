package dev.slipway.engine.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProviderLoaderTest {
  @TempDir Path root;

  private static final String GOOD =
      """
      apiVersion: v1
      kind: Provider
      metadata:
        name: cache-team
        version: 1.4.0
      compatibility:
        minCoreVersion: 1.0.0
        maxCoreVersion: 2.0.0
      capabilities:
        resourceTypeCapabilities:
          - type: redis
            operations:
              create:
                workflow: make
          - type: valkey
            aliasFor: redis
      workflows:
        - name: make
          file: ./w.yaml
          category: provisioner
      """;

  private List<String> problems(String manifest) {
    return ProviderFiles.load(root.resolve("p"), manifest).diagnostics().stream()
        .map(d -> d.text())
        .toList();
  }

  @Test
  void a_good_manifest_has_no_problem() {
    assertThat(problems(GOOD)).isEmpty();
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "apiVersion: v1|apiVersion: v2|p/provider.yaml:1:13: apiVersion: must be v1",
        "kind: Provider|kind: Provder|p/provider.yaml:2:7: kind: must be Provider. Did you mean 'Provider'?",
        "name: cache-team|name: Cache|p/provider.yaml:4:9: metadata.name: 'Cache' is not a name",
        "name: cache-team|x: cache-team|p/provider.yaml:3:1: metadata: 'name' is required",
        "version: 1.4.0|version: '1.4'|p/provider.yaml:5:12: metadata.version: '1.4' is not a semantic version",
        "minCoreVersion: 1.0.0|minCoreVersion: 3.0.0|p/provider.yaml:7:19: compatibility.minCoreVersion: minCoreVersion is above",
        "workflow: make|workflow: mke|p/provider.yaml:14:21: capabilities.resourceTypeCapabilities[0].operations.create.workflow: no workflow is named 'mke'. Did you mean 'make'?",
        "workflow: make|workflwo: make|'workflwo'. Did you mean 'workflow'?",
        "aliasFor: redis|aliasFor: rediss|p/provider.yaml:16:17: capabilities.resourceTypeCapabilities[1].aliasFor: this provider does not offer 'rediss'",
        "aliasFor: redis|aliasFor: valkey|the aliases go in a circle: valkey -> valkey",
        "file: ./w.yaml|file: ./gone.yaml|p/provider.yaml:18:5: workflow file './gone.yaml' does not exist",
        "file: ./w.yaml|file: ../w.yaml|'../w.yaml' is outside of the provider's directory",
        "category: provisioner|category: magic|p/provider.yaml:20:15: workflows[0].category: 'magic' is not one of",
        "category: provisioner|operation: destroy|p/provider.yaml:20:16: workflows[0].operation: 'destroy' is not one of",
        "type: valkey|type: redis|resource type 'redis' is listed twice",
      })
  void each_mistake_is_reported_where_it_is(String good, String bad, String expected) {
    assertThat(String.join("\n", problems(GOOD.replace(good, bad)))).contains(expected);
  }

  @Test
  void all_problems_are_reported_at_once() {
    String bad =
        GOOD.replace("apiVersion: v1", "apiVersion: v2")
            .replace("workflow: make", "workflow: mke")
            .replace("./w.yaml", "./gone.yaml");
    assertThat(problems(bad)).hasSize(3);
  }

  @Test
  void several_provisioners_that_nothing_distinguishes_are_an_error() {
    String vague =
        ProviderFiles.simple("a-team", "s3")
            + "  - {name: make-too, file: ./w.yaml, category: provisioner}\n";
    assertThat(problems(vague).getFirst())
        .contains("several workflows could create 's3': make, make-too");
    assertThat(problems(vague.replace("make-too, file", "make-too, resourceType: s3, file")))
        .isEmpty();
    assertThat(problems(vague.replace("make-too, file", "make-too, tags: [s3], file"))).isEmpty();
  }

  @Test
  void legacy_spellings_load_with_warnings() {
    String old =
        """
        apiVersion: v1
        kind: Platform
        metadata: {name: old-team, version: 1.0.0}
        capabilities: {resourceTypes: [s3]}
        provisioners:
          - {name: make, file: ./w.yaml}
        goldenpaths:
          - {name: onboard, file: ./w.yaml}
        """;
    ProviderLoader.Loaded loaded = ProviderFiles.load(root.resolve("p"), old);
    assertThat(loaded.provider()).isPresent();
    assertThat(loaded.diagnostics()).hasSize(3).noneMatch(d -> d.isError());
  }

  @Test
  void a_provider_for_another_contract_is_incompatible_not_broken() {
    String future = GOOD.replace("minCoreVersion: 1.0.0", "minCoreVersion: 1.5.0");
    ProviderLoader.Loaded loaded = ProviderFiles.load(root.resolve("p"), future);
    assertThat(loaded.provider()).isEmpty();
    assertThat(loaded.problem()).isEqualTo(ProviderProblem.Kind.INCOMPATIBLE);
    assertThat(loaded.diagnostics().getFirst().text()).contains("1.5.0 to 2.0.0; this is 1.0.0");
  }

  @Test
  void a_link_that_leads_out_of_the_directory_is_refused() throws IOException {
    Path secret = Files.writeString(root.resolve("outside.yaml"), "kind: Workflow\n");
    Path directory =
        ProviderFiles.write(root.resolve("p"), GOOD.replace("./w.yaml", "./link.yaml"));
    Files.createSymbolicLink(directory.resolve("link.yaml"), secret);
    ProviderLoader.Loaded loaded =
        ProviderFiles.LOADER.load(ProviderSource.directory(directory, 0), directory, null);
    assertThat(loaded.provider()).isEmpty();
    assertThat(loaded.diagnostics().getFirst().text())
        .contains("outside of the provider's directory");
  }

  @Test
  void a_directory_without_a_manifest_says_what_belongs_there() throws IOException {
    Path empty = Files.createDirectories(root.resolve("empty"));
    assertThat(
            ProviderFiles.LOADER
                .load(ProviderSource.directory(empty, 0), empty, null)
                .diagnostics()
                .getFirst()
                .text())
        .contains("no provider.yaml");
  }
}
