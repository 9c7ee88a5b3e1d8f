package dev.slipway.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.kubernetes.controlplane.Program;
import dev.slipway.kubernetes.controlplane.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first minute, as a new user lives it. */
class DemoTest {
  @TempDir Path directory;
  private Layout layout;

  @BeforeEach
  void fresh() throws Exception {
    layout = new Layout(directory);
  }

  /** What a provider made for the guestbook under a name of that pattern. */
  private Path made(String provider, String name) throws IOException {
    Path place = directory.resolve("data/slipway/providers/" + provider + "/default/guestbook");
    try (Stream<Path> all = Files.list(place)) {
      return all.filter(path -> path.getFileName().toString().matches(name))
          .findFirst()
          .orElseThrow();
    }
  }

  @AfterEach
  void stop() throws Exception {
    layout.slipway("demo", "--clean", "--yes");
  }

  @Test
  void the_demo_provisions_really_repeats_without_changes_and_cleans_up() throws Exception {
    Layout.Result first = layout.slipway("demo");
    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.out())
        .contains("resource:postgres.default#guestbook.db", "password:", "***", "What to try next");
    Path repository = made("git-repo", "content-[0-9a-f]{8}[.]git");
    assertThat(repository.resolve("HEAD")).exists();
    assertThat(made("volume", "uploads-[0-9a-f]{8}").resolve("data")).isDirectory();
    assertThat(Files.readString(repository.resolve("description")))
        .contains("default_guestbook_db");

    Layout.Result password = layout.slipway("resource", "outputs", "guestbook/db", "--reveal");
    assertThat(password.out()).contains("postgresql://default_guestbook_db_").doesNotContain("***");
    String secret =
        password
            .out()
            .lines()
            .filter(l -> l.startsWith("password:"))
            .findFirst()
            .orElseThrow()
            .substring(10)
            .replace("'", "")
            .strip();
    assertThat(first.out() + first.err()).doesNotContain(secret);
    assertThat(Files.readString(directory.resolve("data/slipway/server.log")))
        .doesNotContain(secret);

    Layout.Result again = layout.slipway("demo");
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(again.err()).contains("Nothing had to be done");

    Layout.Result status = layout.slipway("status");
    assertThat(status.out()).contains("guestbook", "active", "3/3");

    Layout.Result clean = layout.slipway("demo", "--clean", "--yes");
    assertThat(clean.exitCode()).as(clean.err()).isZero();
    assertThat(directory.resolve("data/slipway")).doesNotExist();
  }

  @Test
  void the_demo_with_a_cluster_shows_containers_behind_their_gate_and_cleans_up() throws Exception {
    Path programs = Programs.find(System.out::println).file(Program.KUBECTL).getParent();
    layout.with("KUBEBUILDER_ASSETS", programs.toString());
    Layout.Result first = layout.slipway("demo", "--cluster");
    assertThat(first.exitCode()).as(first.err()).isZero();
    assertThat(first.out())
        .containsPattern("workload +workload +active +Healthy +open +workload")
        .containsPattern("uploads +volume +active +Healthy +open +volume-claim")
        .containsPattern("deployment.apps/app-storefront-[0-9a-f]{8} +1/1")
        .containsPattern("pod/app-storefront-\\S+ +1/1 +Running")
        .containsPattern("persistentvolumeclaim/\\S+ +Bound");

    Layout.Result password = layout.slipway("resource", "outputs", "storefront/db", "--reveal");
    String secret =
        password
            .out()
            .lines()
            .filter(line -> line.startsWith("password:"))
            .map(line -> line.substring(10).replace("'", "").strip())
            .findFirst()
            .orElseThrow();
    Layout.Result objects =
        layout.slipway(
            "kubectl", "get", "deployments,replicasets,pods,configmaps", "-A", "-o", "yaml");
    assertThat(objects.exitCode()).as(objects.err()).isZero();
    assertThat(objects.out()).contains("secretKeyRef", "storefront.conf");
    assertThat(first.out() + first.err() + objects.out()).doesNotContain(secret);
    assertThat(Files.readString(directory.resolve("data/slipway/server.log")))
        .doesNotContain(secret);

    Layout.Result again = layout.slipway("demo", "--cluster");
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(again.err()).contains("Nothing had to be done");

    Layout.Result clean = layout.slipway("demo", "--clean", "--yes");
    assertThat(clean.exitCode()).as(clean.err()).isZero();
    assertThat(directory.resolve("data/slipway")).doesNotExist();
  }
}
