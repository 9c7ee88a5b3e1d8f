package dev.slipway.cli;

import dev.slipway.cli.Screen.Ink;
import dev.slipway.engine.value.Values;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Says why something is not active and what to type next. */
@Command(name = "explain", description = "Says why APP, or one of its resources, is not active.")
final class ExplainVerb extends PlacedVerb {
  @Parameters(paramLabel = "APP[/RESOURCE]")
  String subject;

  @Override
  public Integer call() throws Exception {
    String[] parts = subject.split("/", 2);
    Map<String, Object> explanation =
        api()
            .get(
                path("applications", parts[0], "explain"),
                Api.query(
                    "environment", environment(), "resource", parts.length > 1 ? parts[1] : null));
    if (root().output != null) {
      show(explanation, "application");
      return ExitCode.OK.code();
    }
    Screen screen = screen();
    out.println(
        screen.paint(Ink.BOLD, subject)
            + " "
            + screen.state(String.valueOf(explanation.get("state")))
            + ": "
            + explanation.get("summary"));
    Api.items(explanation.get("entries")).stream()
        .filter(e -> parts.length == 1 || parts[1].equals(e.get("subject")))
        .forEach(e -> entry(e, screen));
    if (explanation.get("commands") instanceof List<?> commands && !commands.isEmpty()) {
      out.println("Next:");
      commands.forEach(c -> out.println("  " + c));
    }
    return ExitCode.OK.code();
  }

  private void entry(Map<String, Object> entry, Screen screen) {
    out.println();
    out.println(
        screen.paint(Ink.BOLD, String.valueOf(entry.get("subject")))
            + " is "
            + screen.state(String.valueOf(entry.get("state")))
            + (entry.get("since") == null ? "" : " since " + Since.age(entry.get("since"))));
    out.println("  why:         " + entry.get("why"));
    line(
        "blocked by",
        entry.get("blockedBy") instanceof List<?> l && !l.isEmpty()
            ? String.join(", ", l.stream().map(String::valueOf).toList())
            : null);
    Map<String, Object> error = Values.map(entry.get("lastError"));
    if (!error.isEmpty()) {
      line(
          "last error",
          error.get("message")
              + (error.get("step") == null ? "" : " (step " + error.get("step") + ")"));
      line("hint", error.get("hint"));
    }
    line(
        "next retry",
        entry.get("nextRetry") == null ? null : "in " + Since.until(entry.get("nextRetry")));
    line("run", entry.get("runId"));
    line("type", entry.get("command"));
  }

  private void line(String label, @Nullable Object value) {
    if (value != null) {
      out.println("  %-12s %s".formatted(label + ":", value));
    }
  }
}
