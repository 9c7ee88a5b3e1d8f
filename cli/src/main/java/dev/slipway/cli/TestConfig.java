package dev.slipway.cli;

import dev.slipway.cli.cases.TestCase;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.value.Values;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The configuration of the server of the tests, as each case needs it. */
final class TestConfig {
  private final Map<String, Object> given;
  private final Path provider;
  private final List<Path> others;
  private Map<String, Object> inForce;

  private TestConfig(Map<String, Object> given, Path provider, List<Path> others) {
    this.given = given;
    this.provider = provider;
    this.others = others;
    this.inForce = config(Map.of(), Map.of());
  }

  static TestConfig of(@Nullable Path file, Path provider, List<Path> others) {
    return new TestConfig(file == null ? Map.of() : read(file), provider, others);
  }

  private static Map<String, Object> read(Path file) {
    Diagnostics diagnostics = new Diagnostics();
    Object plain =
        Document.parse(file.toString(), ScoreFile.bytes(file), Limits.PROVIDER, diagnostics)
            .map(Document::plain)
            .orElse(null);
    if (!(plain instanceof Map<?, ?> map)) {
      throw new Failure(
          ExitCode.FAILED,
          file + " is no configuration",
          diagnostics.all().stream().map(d -> d.text()).toList());
    }
    return Values.map(map);
  }

  Map<String, Object> usual() {
    return inForce;
  }

  private Map<String, Object> config(Map<String, Object> settings, Map<String, Object> grants) {
    Map<String, Object> config = new LinkedHashMap<>(given);
    config.remove("goldenPaths");
    List<Map<String, Object>> providers = new ArrayList<>();
    providers.add(source(provider, grants));
    others.forEach(other -> providers.add(source(other, Map.of())));
    config.put("providers", providers);
    settings.forEach(
        (key, value) -> {
          Map<String, Object> merged =
              new LinkedHashMap<>(Values.map(config.getOrDefault(key, Map.of())));
          merged.putAll(Values.map(value));
          config.put(key, merged);
        });
    return config;
  }

  private static Map<String, Object> source(Path directory, Map<String, Object> grants) {
    Map<String, Object> source = new LinkedHashMap<>();
    source.put("source", "filesystem");
    source.put("path", directory.toAbsolutePath().normalize().toString());
    if (!grants.isEmpty()) {
      source.put("grants", grants);
    }
    return source;
  }

  /** Puts the case's configuration in force; answers why its provider cannot be used then. */
  List<Map<String, Object>> use(TestServer server, TestCase testCase)
      throws IOException, InterruptedException {
    Map<String, Object> wanted = config(testCase.settings(), testCase.grants());
    if (!wanted.equals(inForce)) {
      server.configure(wanted);
      inForce = wanted;
      Api.Reply reply = server.api().ask("POST", "/api/admin/reload", Map.of(), Map.of());
      if (!reply.ok()) {
        throw new Failure(
            ExitCode.FAILED,
            testCase.place() + ": the configuration of the case is refused",
            Api.items(reply.body().get("errors")).stream().map(ApiProblem::diagnostic).toList());
      }
    }
    List<Map<String, Object>> problems = new ArrayList<>();
    Api.items(server.api().get("/api/admin/providers").get("problems"))
        .forEach(p -> problems.addAll(Api.items(p.get("diagnostics"))));
    return problems;
  }
}
