package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.postgres.Database;
import dev.slipway.testbed.TestPostgres;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that was started with {@code --cluster embedded}. */
class EmbeddedClusterTest {
  @TempDir Path directory;

  @Test
  void the_cluster_starts_with_the_server_and_keeps_its_objects_over_a_restart() throws Exception {
    Options options =
        new Options(
            Optional.empty(),
            directory,
            "127.0.0.1",
            0,
            Optional.of(Running.url(TestPostgres.freshDatabase())),
            Optional.empty(),
            Database.Migrate.AUTO,
            Options.Cluster.EMBEDDED,
            Optional.empty());
    String kubeconfig;
    try (SlipwayServer server = SlipwayServer.start(options)) {
      kubeconfig = Files.readString(directory.resolve("cluster/kubeconfig"));
      assertThat(server.hints().getFirst()).startsWith("cluster embedded at https://127.0.0.1:");
      assertThat(server.hints().getLast())
          .contains("KUBECONFIG=" + directory.resolve("cluster/kubeconfig"));
      assertThat(clusters(server)).contains("\"name\":\"embedded\",\"status\":\"healthy\"");
      assertThat(kubectl("create", "namespace", "team-a")).contains("namespace/team-a created");
      assertThat(kubectl("get", "nodes")).contains("embedded").contains("Ready");
    }
    assertThat(kubectl("get", "nodes")).contains("refused");
    try (SlipwayServer server = SlipwayServer.start(options)) {
      assertThat(server.hints()).isNotEmpty();
      assertThat(directory.resolve("cluster/kubeconfig")).hasContent(kubeconfig);
      assertThat(kubectl("get", "namespaces")).contains("team-a");
    }
  }

  @Test
  void only_the_embedded_cluster_can_be_started() {
    assertThatThrownBy(() -> parse("--cluster", "kind"))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("--cluster takes embedded, not 'kind'")
        .hasMessageContaining("section 'clusters'");
  }

  @Test
  void replicas_on_one_database_do_not_each_have_an_embedded_cluster() {
    assertThatThrownBy(
            () -> parse("--cluster", "embedded", "--database", "jdbc:postgresql://db/slipway"))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("Leave out --database");
  }

  @Test
  void without_the_option_no_cluster_is_started() {
    assertThat(parse().cluster()).isEqualTo(Options.Cluster.NONE);
    assertThat(parse("--cluster", "embedded").cluster()).isEqualTo(Options.Cluster.EMBEDDED);
  }

  private static String clusters(SlipwayServer server) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(server.url() + "/api/clusters"))
                  .header(
                      "Authorization",
                      "Bearer " + Files.readString(server.adminTokenFile()).strip())
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  private static Options parse(String... arguments) {
    return Options.parse(List.of(arguments), Map.<String, String>of()::get);
  }

  private String kubectl(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(directory.resolve("cluster/kubectl").toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("KUBECONFIG", directory.resolve("cluster/kubeconfig").toString());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes());
    process.waitFor();
    return said;
  }
}
