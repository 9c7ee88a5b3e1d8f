package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A checked-out project and a server that want this user's token and files. */
class HostileProjectTest {
  private static final String TOKEN = "slipway_key_of_this_user";

  @TempDir Path directory;
  private Path project;
  private Map<String, String> env;
  private HttpServer thief;
  private final List<String> stolen = new CopyOnWriteArrayList<>();

  @BeforeEach
  void start() throws IOException {
    project = Files.createDirectories(directory.resolve("project"));
    env = Map.of("HOME", directory.toString());
    thief = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    thief.createContext(
        "/",
        exchange -> {
          String token = exchange.getRequestHeaders().getFirst("Authorization");
          stolen.add(String.valueOf(token));
          byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    thief.start();
  }

  @AfterEach
  void stop() {
    thief.stop(0);
  }

  private String thiefUrl() {
    return "http://127.0.0.1:" + thief.getAddress().getPort();
  }

  private void loggedIn(String server) throws IOException {
    Path file = ClientSettings.userFile(env);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "server: %s\ntoken: %s\n".formatted(server, TOKEN));
  }

  private ClientSettings settings(Map<String, String> flags, Map<String, String> environment) {
    return ClientSettings.resolve(flags, environment, project);
  }

  @Test
  void a_project_file_names_neither_the_server_nor_the_token() throws Exception {
    loggedIn("https://slipway.example.org");
    Files.writeString(
        project.resolve("slipway.yaml"),
        "server: %s\ntoken: planted\nenvironment: staging\n".formatted(thiefUrl()));
    ClientSettings settings = settings(Map.of(), env);
    assertThat(settings.server()).isEqualTo("https://slipway.example.org");
    assertThat(settings.token()).contains(TOKEN);
    assertThat(settings.environment()).contains("staging");
    assertThat(ClientSettings.ignored(project)).hasSize(2).allMatch(l -> l.contains("is not used"));
    assertThat(ClientSettings.ignored(directory)).isEmpty();
  }

  @Test
  void a_stored_token_is_sent_to_the_server_that_made_it_and_to_no_other() throws Exception {
    loggedIn("https://slipway.example.org");
    assertThat(settings(Map.of("server", "https://slipway.example.org/"), env).token())
        .contains(TOKEN);
    for (String other :
        List.of(
            thiefUrl(),
            "http://slipway.example.org",
            "https://slipway.example.org:8443",
            "https://slipway.example.org.evil.test",
            "https://slipway.example.org@evil.test")) {
      assertThat(settings(Map.of("server", other), env).token()).as(other).isEmpty();
      assertThat(
              settings(Map.of(), Map.of("HOME", env.get("HOME"), "SLIPWAY_SERVER", other)).token())
          .as(other)
          .isEmpty();
    }
    try (Api api = new Api(settings(Map.of("server", thiefUrl()), env))) {
      api.get("/api/applications");
    }
    assertThat(stolen).containsExactly("null");
  }

  @Test
  void a_token_of_the_environment_goes_with_the_server_of_the_environment() {
    Map<String, String> both =
        Map.of(
            "HOME",
            env.get("HOME"),
            "SLIPWAY_SERVER",
            "https://slipway.example.org",
            "SLIPWAY_TOKEN",
            TOKEN);
    assertThat(settings(Map.of(), both).token()).contains(TOKEN);
    assertThat(settings(Map.of("server", thiefUrl()), both).token()).isEmpty();
    assertThat(settings(Map.of("server", thiefUrl(), "token", "given"), both).token())
        .as("said by the user for this call")
        .contains("given");
  }

  @Test
  void a_server_that_redirects_gets_no_token_delivered_elsewhere() throws Exception {
    HttpServer redirecting =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    redirecting.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().add("Location", thiefUrl() + "/api/applications");
          exchange.sendResponseHeaders(307, -1);
          exchange.close();
        });
    redirecting.start();
    try {
      String url = "http://127.0.0.1:" + redirecting.getAddress().getPort();
      loggedIn(url);
      try (Api api = new Api(settings(Map.of(), env))) {
        assertThatThrownBy(() -> api.get("/api/applications")).isInstanceOf(Failure.class);
        assertThatThrownBy(() -> api.post("/api/teams", Map.of(), Map.of("name", "x")))
            .isInstanceOf(Failure.class);
        assertThatThrownBy(() -> api.stream("/api/events", Map.of(), Map.of()))
            .isInstanceOf(Failure.class);
      }
    } finally {
      redirecting.stop(0);
    }
    assertThat(stolen).isEmpty();
  }

  @Test
  void a_score_file_reads_no_file_outside_its_directory() throws Exception {
    Path secret = Files.writeString(directory.resolve("secret"), "password of this user");
    Files.createSymbolicLink(project.resolve("link"), secret);
    Files.createSymbolicLink(project.resolve("out"), directory);
    for (String source :
        List.of(
            "../secret",
            "../../../../../../../../etc/passwd",
            "/etc/passwd",
            secret.toString(),
            "link",
            "out/secret",
            "sub/../../secret",
            ".")) {
      Path score = score(source);
      assertThatThrownBy(() -> ScoreFile.read(score))
          .as(source)
          .isInstanceOf(Failure.class)
          .message()
          .doesNotContain("password of this user");
    }
  }

  @Test
  void a_score_file_reads_what_lies_below_it_also_through_a_link_that_stays_there()
      throws Exception {
    Files.createDirectories(project.resolve("config"));
    Files.writeString(project.resolve("config/app.conf"), "key=value");
    Files.createSymbolicLink(project.resolve("app.conf"), Path.of("config/app.conf"));
    for (String source : List.of("config/app.conf", "app.conf", "./config/../app.conf")) {
      assertThat(new String(ScoreFile.read(score(source)), StandardCharsets.UTF_8))
          .contains("key=value");
    }
  }

  private Path score(String source) throws IOException {
    return Files.writeString(
        project.resolve("score.yaml"),
        """
        apiVersion: score.dev/v1b1
        metadata: {name: shop}
        containers: {main: {image: nginx, files: {/etc/app.conf: {source: "%s"}}}}
        """
            .formatted(source));
  }
}
