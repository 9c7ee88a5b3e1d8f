package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.AdminConfigParser;
import dev.slipway.engine.resolve.ProviderSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Bundled providers that need a cluster are there when the configuration names one for them. */
class ClusterProvidersTest {
  private static final String CLUSTERS =
      "clusters: {east: {kubeconfig: 'clusters: []'}, west: {kubeconfig: 'clusters: []'}}\n";

  private static AdminConfig config(String text, Diagnostics diagnostics) {
    return new AdminConfigParser(Path.of("."), _ -> null)
        .parse(
            Document.parse("admin-config.yaml", text, Limits.PROVIDER, diagnostics).orElseThrow(),
            diagnostics);
  }

  private static List<ProviderSource> sources(String config) {
    return new BundledProviders(Optional.of(Path.of("..", "providers")), Optional.empty())
        .sources(config(config, new Diagnostics()));
  }

  private static List<String> names(List<ProviderSource> sources) {
    return sources.stream()
        .map(ProviderSource::label)
        .map(l -> Path.of(l).getFileName() + "")
        .toList();
  }

  @Test
  void without_a_cluster_for_workloads_they_are_not_there() {
    assertThat(names(sources("{}"))).containsExactly("git-repo", "postgres", "volume");
    assertThat(names(sources(CLUSTERS))).containsExactly("git-repo", "postgres", "volume");
  }

  @Test
  void with_one_they_precede_the_others_and_are_granted_that_cluster_alone() {
    List<ProviderSource> sources = sources(CLUSTERS + "workloads: {cluster: east}\n");
    assertThat(names(sources))
        .containsExactly("git-repo", "postgres", "volume", "volume-claim", "workload");
    ProviderSource workload = sources.getLast();
    assertThat(workload.grants().clusters()).containsExactly("east");
    assertThat(workload.grants().kinds()).isEmpty();
    assertThat(workload.precedence()).isBetween(ProviderSource.BUNDLED + 1, -1);
  }

  @Test
  void a_cluster_that_is_not_configured_is_an_error_with_its_place() {
    Diagnostics diagnostics = new Diagnostics();
    config(CLUSTERS + "workloads: {cluster: eats}\n", diagnostics);
    assertThat(diagnostics.errors())
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.code()).isEqualTo("unknown-cluster");
              assertThat(error.text()).contains("admin-config.yaml:2:", "'eats'", "east");
            });
  }

  @Test
  void the_embedded_cluster_has_to_run() {
    assertThat(names(sources("workloads: {cluster: embedded}\n")))
        .containsExactly("git-repo", "postgres", "volume");
  }
}
