package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.value.Values;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The bundled providers of directories and repositories change only what they made themselves. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OwnershipTest {
  private static final Path OLDER = Path.of("src", "test", "resources", "providers-1.0.0");
  private Running running;
  private String rosa;
  private String olga;

  @BeforeAll
  void start() {
    running = new Running();
    rosa = running.member("rosa", "red", "developer");
    olga = running.member("olga", "*", "operator");
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private static String score(String name, String resource, String type, String params) {
    return """
    apiVersion: score.dev/v1b1
    metadata: {name: %s}
    resources:
      %s: {type: %s, params: {%s}}
    """
        .formatted(name, resource, type, params);
  }

  private static Map<String, Object> resource(Running on, String application) {
    var shown = on.asAdmin().get("/api/applications/" + application).expect(200).json();
    return Values.map(((List<?>) shown.get("resources")).getFirst());
  }

  private static Map<String, Object> until(Running on, String application, String state) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(resource(on, application)).containsEntry("state", state));
    return resource(on, application);
  }

  private static Path made(Running on, String application, String score) {
    on.asAdmin().yaml("/api/specs", score).expect(201);
    return Path.of(
        Values.map(until(on, application, "active").get("outputs")).get("path").toString());
  }

  private static void destroyed(Running on, String application) {
    on.asAdmin().delete("/api/applications/" + application + "?confirm=" + application).expect(202);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> on.asAdmin().get("/api/applications/" + application).status() == 404);
  }

  private static String reason(Map<String, Object> resource) {
    return String.valueOf(resource.get("reason"));
  }

  @Test
  void names_end_in_digits_of_the_id_so_that_no_two_resources_share_one() {
    Path one = made(running, "shop", score("shop", "api-db", "volume", ""));
    Path other = made(running, "shop-api", score("shop-api", "db", "volume", ""));
    String id = resource(running, "shop").get("id").toString();
    assertThat(one.getParent().getFileName().toString())
        .isEqualTo("api-db-" + id.substring(id.length() - 8));
    assertThat(one.resolveSibling("owner")).hasContent(id);
    assertThat(other.toString().replace('/', '-')).isNotEqualTo(one.toString().replace('/', '-'));
    destroyed(running, "shop");
    assertThat(one.getParent()).doesNotExist();
    assertThat(other).isDirectory();
    destroyed(running, "shop-api");
  }

  @Test
  void a_directory_with_another_stamp_is_neither_changed_nor_removed() throws IOException {
    Path data = made(running, "moved", score("moved", "files", "volume", ""));
    Files.writeString(data.resolveSibling("owner"), "of-another\n");
    Files.writeString(data.resolve("kept"), "kept");
    running.asAdmin().yaml("/api/specs", score("moved", "files", "volume", "size: 2Gi"));
    assertThat(reason(until(running, "moved", "failed"))).contains("not-ours");
    running.asAdmin().delete("/api/applications/moved?confirm=moved").expect(202);
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(reason(resource(running, "moved")))
                    .contains("not-ours", "was not made for this resource"));
    assertThat(data.resolve("kept")).hasContent("kept");
    assertThat(Files.readString(data.resolveSibling("volume.json"))).contains("1Gi");
  }

  @Test
  void a_repository_with_another_stamp_is_neither_changed_nor_removed() throws Exception {
    Path repository = made(running, "moved-code", score("moved-code", "code", "git-repo", ""));
    git("config", "--file", repository.resolve("config").toString(), "slipway.owner", "another");
    running
        .asAdmin()
        .yaml("/api/specs", score("moved-code", "code", "git-repo", "description: stolen"));
    assertThat(reason(until(running, "moved-code", "failed"))).contains("not-ours");
    running.asAdmin().delete("/api/applications/moved-code?confirm=moved-code").expect(202);
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(reason(resource(running, "moved-code")))
                    .contains("not-ours", "was not made for this resource"));
    assertThat(repository.resolve("description")).hasContent("Made by Slipway");
  }

  @Test
  void what_exists_without_a_stamp_is_not_taken_by_a_create() throws IOException {
    Path parent = running.data.resolve("providers/volume/default/late");
    Files.createDirectories(parent.getParent());
    Files.writeString(parent, "in the way");
    running.asAdmin().yaml("/api/specs", score("late", "files", "volume", "")).expect(201);
    String id = until(running, "late", "failed").get("id").toString();
    Files.delete(parent);
    Path foreign = parent.resolve("files-" + id.substring(id.length() - 8));
    Files.createDirectories(foreign.resolve("data"));
    running.asAdmin().post("/api/resources/" + id + "/retry", "{}").expect(202);
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(reason(resource(running, "late"))).contains("not-ours"));
    assertThat(foreign.resolve("owner")).doesNotExist();
    assertThat(foreign.resolve("volume.json")).doesNotExist();
  }

  @Test
  void adoption_needs_an_operator_and_the_consent_of_the_thing_and_keeps_it_at_deletion()
      throws IOException {
    Path volume = running.data.resolve("providers/volume/heirloom");
    Files.createDirectories(volume.resolve("data"));
    Files.writeString(volume.resolve("data/kept"), "kept");

    running.as(rosa).yaml("/api/specs", adopting("greedy")).expect(201);
    answer();
    assertThat(reason(until(running, "greedy", "failed")))
        .contains("not-ours", "has no file 'adopt' that names red/default/greedy/files");
    assertThat(volume.resolve("owner")).doesNotExist();

    Files.writeString(volume.resolve("adopt"), "red/default/heir/files\n");
    running.as(rosa).yaml("/api/specs", adopting("heir")).expect(201);
    answer();
    String id = until(running, "heir", "active").get("id").toString();
    assertThat(volume.resolve("owner")).hasContent(id);
    destroyed(running, "heir");
    assertThat(volume.resolve("data/kept")).hasContent("kept");
    assertThat(volume.resolve("owner")).doesNotExist();
  }

  private static String adopting(String name) {
    return score(name, "files", "volume", "adopt: heirloom");
  }

  /** The developer who asked may not answer; the operator does. */
  private void answer() {
    var pending =
        await()
            .atMost(Duration.ofSeconds(60))
            .until(
                () ->
                    (List<?>)
                        running.asAdmin().get("/api/approvals?state=pending").json().get("data"),
                list -> !list.isEmpty());
    String path = "/api/approvals/" + Values.map(pending.getFirst()).get("id") + "/approve";
    assertThat(running.as(rosa).post(path, "{}").status()).isEqualTo(403);
    running.as(olga).post(path, "{}").expect(200);
  }

  @Test
  void what_version_1_0_0_made_is_updated_stamped_and_removed(@TempDir Path data) throws Exception {
    TestDatabase database = TestPostgres.freshDatabase();
    Path files;
    Path code;
    Path stolen;
    try (Running older = new Running(database, data, Optional.empty(), OLDER)) {
      files = made(older, "old-files", score("old-files", "files", "volume", ""));
      code = made(older, "old-code", score("old-code", "code", "git-repo", ""));
      stolen = made(older, "victim", score("victim", "files", "volume", ""));
      made(older, "thief", score("thief", "files", "volume", ""));
      Files.writeString(files.resolve("kept"), "kept");
    }
    // What the hole of that version could leave: a record that names the volume of another team.
    try (var connection =
            java.sql.DriverManager.getConnection(
                database.jdbcUrl(), database.user(), database.password());
        var statement = connection.createStatement()) {
      statement.execute(
          "UPDATE resources SET outputs = outputs || jsonb_build_object('path', '"
              + stolen
              + "') WHERE identity LIKE '%thief%'");
    }
    try (Running now = new Running(database, data, Optional.empty())) {
      assertThat(files)
          .isEqualTo(data.toRealPath().resolve("providers/volume/default/old-files/files/data"));
      now.asAdmin().yaml("/api/specs", score("old-files", "files", "volume", "size: 2Gi"));
      now.asAdmin().yaml("/api/specs", score("old-code", "code", "git-repo", "branch: next"));
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                assertThat(resource(now, "old-files")).containsEntry("state", "active");
                assertThat(files.resolveSibling("volume.json")).content().contains("2Gi");
                assertThat(resource(now, "old-code")).containsEntry("state", "active");
                assertThat(code.resolve("HEAD")).content().contains("refs/heads/next");
              });
      assertThat(files.resolve("kept")).hasContent("kept");
      assertThat(files.resolveSibling("owner"))
          .hasContent(resource(now, "old-files").get("id").toString());
      now.asAdmin().delete("/api/applications/thief?confirm=thief").expect(202);
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(reason(resource(now, "thief"))).contains("not-ours"));
      assertThat(stolen).isDirectory();
      destroyed(now, "old-files");
      destroyed(now, "old-code");
      destroyed(now, "victim");
      assertThat(List.of(files.getParent(), code, stolen)).noneMatch(Files::exists);
    }
  }

  private static void git(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
