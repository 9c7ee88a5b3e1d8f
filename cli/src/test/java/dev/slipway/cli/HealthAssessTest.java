package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HealthAssessTest {
  private static final String TWO =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec: {paused: true}
      ---
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: settings}
      """;

  @TempDir Path directory;

  @Test
  void each_document_is_one_element_in_order() throws Exception {
    Path file = Files.writeString(directory.resolve("two.yaml"), TWO);
    Cli.Result result = new Cli().run("health", "assess", file.toString(), "-o", "json");
    assertThat(result.exitCode()).isZero();
    assertThat(Json.read(result.out()))
        .isEqualTo(
            Json.read(
                """
                [{"file": "%1$s", "apiVersion": "apps/v1", "kind": "Deployment", "name": "web",
                  "status": "Suspended", "message": "the Deployment is paused"},
                 {"file": "%1$s", "apiVersion": "v1", "kind": "ConfigMap", "name": "settings",
                  "status": "", "message": ""}]
                """
                    .formatted(file)));
  }

  @Test
  void what_is_wrong_with_a_file_has_a_place_and_nothing_is_judged() throws Exception {
    Path good = Files.writeString(directory.resolve("good.yaml"), TWO);
    Path bad = Files.writeString(directory.resolve("bad.yaml"), TWO + "---\nkind: [\n");
    Path odd = Files.writeString(directory.resolve("odd.yaml"), "---\nkind: Pod\n---\n- 1\n");
    Cli.Result result =
        new Cli()
            .run("health", "assess", good.toString(), bad.toString(), odd.toString(), "-o", "json");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains(bad + ":12:1: ")
        .contains(odd + ":2:1: apiVersion: every Kubernetes object names its apiVersion")
        .contains(odd + ":4:1: a Kubernetes object is a map");
  }

  @Test
  void a_file_that_is_not_there_is_named() {
    Cli.Result result =
        new Cli().run("health", "assess", directory.resolve("gone.yaml").toString());
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains("gone.yaml: no such file");
  }
}
