package dev.slipway.cli;

import dev.slipway.engine.value.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;

/** The log of one step, line by line as it comes. */
record LogLines(Api api, Consumer<String> line) {
  /** How far to read. */
  enum Until {
    NOW,
    STEP_ENDED
  }

  /** As text. */
  void print(String run, String step, Until until) throws InterruptedException {
    read(run, step, until, text -> line.accept(plain(text)));
  }

  /** As JSON objects, one a line. */
  void printJson(String run, String step, Until until) throws InterruptedException {
    read(run, step, until, line);
  }

  private void read(String run, String step, Until until, Consumer<String> each)
      throws InterruptedException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                api.stream(
                    Verb.path("workflows", run, "steps", step, "logs"),
                    Api.query("follow", until == Until.STEP_ENDED ? true : null),
                    Map.of("Accept", "application/x-ndjson")),
                StandardCharsets.UTF_8))) {
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        if (!text.isEmpty()) { // sent while the step is silent
          each.accept(text);
        }
      }
    } catch (IOException e) {
      throw new Failure(ExitCode.FAILED, "the log broke off: " + e.getMessage());
    }
  }

  /** A line is text, or an object with the text in {@code m}. */
  private static String plain(String line) {
    if (!line.startsWith("{\"")) {
      return line;
    }
    try {
      Object text = Json.readMap(line).get("m");
      return text == null ? line : String.valueOf(text);
    } catch (IllegalArgumentException e) {
      return line;
    }
  }
}
