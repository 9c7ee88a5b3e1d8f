package dev.slipway.cli;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Follows the event stream. */
@Command(name = "events", description = "Follows what happens; Ctrl-C ends it.")
final class EventsVerb extends Verb {
  @Mixin ApplicationFilter application;

  @Option(
      names = {"-e", "--environment"},
      paramLabel = "NAME",
      description = "Only of this environment.")
  @Nullable String environment;

  @Option(names = "--types", paramLabel = "TYPE,...", description = "Only of these types.")
  @Nullable String types;

  @Option(
      names = "--after",
      paramLabel = "ID",
      description = "Replay everything after this event first; 0 for all.")
  @Nullable Long after;

  @Option(names = "--limit", paramLabel = "N", description = "Stop after this many events.")
  int limit = Integer.MAX_VALUE;

  @Override
  public Integer call() throws Exception {
    Map<String, Object> query =
        Api.query(
            "application",
            application.name(),
            "environment",
            environment,
            "types",
            types,
            "after",
            after);
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                api().stream("/api/events", query, Map.of("Accept", "text/event-stream")),
                StandardCharsets.UTF_8))) {
      int left = limit;
      for (String line = lines.readLine(); line != null && left > 0; line = lines.readLine()) {
        if (line.startsWith("data:")) {
          print(Json.readMap(line.substring(5).strip()));
          left--;
        }
      }
    } catch (IOException e) {
      throw new Failure(
          ExitCode.FAILED,
          "the stream broke off: " + e.getMessage(),
          "Go on where it stopped: slipway events --after ID");
    }
    return ExitCode.OK.code();
  }

  private void print(Map<String, Object> event) {
    switch (format(Format.TABLE)) {
      case JSON -> out.println(Json.write(event));
      case YAML -> out.print("---\n" + Yaml.write(event));
      case NAME -> out.println(event.get("id"));
      case TABLE, WIDE -> {
        Map<String, Object> data = new LinkedHashMap<>(Values.map(event.get("data")));
        out.println(
            screen().paint(Ink.DIM, event.get("id") + " " + event.get("timestamp"))
                + " "
                + event.get("type")
                + " "
                + Table.text(event.get("application"))
                + " "
                + Json.write(data));
      }
    }
    out.flush();
  }
}
