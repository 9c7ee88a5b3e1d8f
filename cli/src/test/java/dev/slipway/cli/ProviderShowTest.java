package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProviderShowTest {
  @TempDir static Path directory;
  private static LiveServer live;

  @BeforeAll
  static void start() throws IOException {
    for (String name : new String[] {"first", "second", "rival"}) {
      String type = name.equals("rival") ? "second" : name;
      new Cli()
          .run("provider", "init", name, "--type", type, "--dir", directory.resolve(name))
          .expect(ExitCode.OK);
    }
    Path manifest = directory.resolve("first/provider.yaml");
    Files.writeString(
        manifest,
        Files.readString(manifest)
            .replace("workflows:\n", "    - {type: former, aliasFor: first}\nworkflows:\n"));
    Path config =
        Files.writeString(
            directory.resolve("admin-config.yaml"),
            """
            providers:
              - {source: filesystem, path: ./first, precedence: 7}
              - {source: filesystem, path: ./second}
              - {source: filesystem, path: ./rival}
              - {source: filesystem, path: ./nowhere}
            """);
    live = new LiveServer(directory.resolve("data"), config);
  }

  @AfterAll
  static void stop() {
    live.close();
  }

  @Test
  void a_provider_of_the_server_is_shown_with_types_parameters_and_outputs() {
    assertThat(live.cli.run("provider", "show", "first").expect(ExitCode.OK).out())
        .contains(
            "first 0.1.0",
            "precedence 7",
            "contract  1.0.0 to any",
            "former = first",
            "create-first  read-first  update-first  delete-first",
            "one of small, large",
            "How big it is to be",
            "steps    make [shell], reserve [shell]",
            "outputs  path, size, owner");
    Map<String, Object> json =
        Json.readMap(live.cli.run("provider", "show", "first", "-o", "json").out());
    assertThat(json).containsKeys("types", "workflows", "conflicts", "problems", "compatibility");
  }

  @Test
  void conflicts_and_problems_are_shown() {
    assertThat(live.cli.run("provider", "show", "rival").expect(ExitCode.OK).out())
        .contains("conflict: resource type 'second' is claimed by");
    Cli.Result conflicts = live.cli.run("provider", "conflicts").expect(ExitCode.FAILED);
    assertThat(conflicts.out()).contains("second", "rival (");
    assertThat(conflicts.err()).contains("nowhere");
    assertThat(live.cli.run("provider", "list").expect(ExitCode.OK).out())
        .contains("first", "second", "rival");
    assertThat(live.cli.run("provider", "reload").expect(ExitCode.OK).out())
        .contains("3 in service, 1 with problems, 1 conflicts");
    live.cli.run("provider", "refresh", "first").expect(ExitCode.OK);
    live.cli.run("provider", "show", "nobody").expect(ExitCode.FAILED);
  }

  @Test
  void a_directory_is_shown_without_a_server() throws IOException {
    Cli offline = new Cli("--server", "http://127.0.0.1:1");
    assertThat(
            offline.run("provider", "show", directory.resolve("first")).expect(ExitCode.OK).out())
        .contains("create-first", "one of small, large");
    Map<String, Object> here =
        Json.readMap(
            offline.run("provider", "show", directory.resolve("first"), "-o", "json").out());
    Map<String, Object> there =
        Json.readMap(live.cli.run("provider", "show", "first", "-o", "json").out());
    assertThat(here.get("types")).isEqualTo(there.get("types"));
    assertThat(here.get("workflows")).isEqualTo(there.get("workflows"));
    Path empty = Files.createDirectories(directory.resolve("empty"));
    assertThat(offline.run("provider", "show", empty).expect(ExitCode.FAILED).err())
        .contains("no provider.yaml");
  }
}
