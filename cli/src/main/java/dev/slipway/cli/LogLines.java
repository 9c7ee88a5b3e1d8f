package dev.slipway.cli;

import dev.slipway.cli.Screen.Ink;
import dev.slipway.engine.value.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Prints the log of one step, line by line as it comes. */
final class LogLines {
  private final Api api;
  private final PrintStream out;
  private final Screen screen;

  LogLines(Api api, PrintStream out, Screen screen) {
    this.api = api;
    this.out = out;
    this.screen = screen;
  }

  void print(String run, String step, String label, boolean follow) throws InterruptedException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                api.stream(
                    Verb.path("workflows", run, "steps", step, "logs"),
                    Api.query("follow", follow ? true : null),
                    Map.of("Accept", "text/plain")),
                StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        out.println(screen.paint(Ink.DIM, label + " | ") + plain(line));
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
