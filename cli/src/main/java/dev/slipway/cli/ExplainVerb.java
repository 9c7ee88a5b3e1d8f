package dev.slipway.cli;

import dev.slipway.cli.kinds.Kind;
import dev.slipway.cli.kinds.Kind.Operation;
import dev.slipway.engine.value.Values;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Says why something is not active and what to type next. */
@Command(
    name = "explain",
    description = {
      "Says why APP, one of its resources, an object of KIND or a NODE is not as it should be.",
      "One word is an application, two (or KIND/NAME) are a kind and a name, a word with a colon is a"
          + " node."
    },
    footer = {
      "",
      "  slipway explain shop",
      "  slipway explain shop/db              or: slipway explain resource shop/db",
      "  slipway explain run 01a1…",
      "  slipway explain resource:postgres.default#shop.db   and what it waits for"
    })
final class ExplainVerb extends KindVerb {
  @Parameters(index = "0", paramLabel = "APP[/RESOURCE]|NODE|KIND")
  String first;

  @Parameters(index = "1", paramLabel = "NAME", arity = "0..1")
  @Nullable String name;

  @Override
  public Integer call() throws Exception {
    if (name == null && isNode(first)) {
      print(first, api().get(path("nodes", first, "explain")), null);
      return ExitCode.OK.code();
    }
    Optional<Pair> pair = pair(first, name);
    if (pair.isEmpty()) {
      return application(first);
    }
    KindObjects objects = objects();
    if (name == null && isResource(objects, pair.get())) {
      return application(first);
    }
    Kind kind = first(objects, pair.get().kind());
    objects.template(kind, Operation.EXPLAIN);
    Map<String, Object> object = objects.named(kind, pair.get().name(), environment());
    Map<String, Object> explanation = api().get(objects.address(kind, Operation.EXPLAIN, object));
    // a run or a resource is explained by its application, whose state and summary are shown
    Object subject = explanation.getOrDefault("application", kind.nameOf(object));
    print(String.valueOf(subject), explanation, null);
    return ExitCode.OK.code();
  }

  /** {@code APP/RESOURCE}, not {@code KIND/NAME}: the application wins over a kind of its name. */
  private boolean isResource(KindObjects objects, Pair pair) throws InterruptedException {
    return objects.table().find(pair.kind()).isEmpty()
        || api()
            .find(path("applications", pair.kind()) + "?environment=" + Api.encode(environment()))
            .isPresent();
  }

  private int application(String subject) throws InterruptedException {
    String[] parts = subject.split("/", 2);
    String resource = parts.length > 1 ? parts[1] : null;
    Map<String, Object> query = Api.query("environment", environment(), "resource", resource);
    print(subject, api().get(path("applications", parts[0], "explain"), query), resource);
    return ExitCode.OK.code();
  }

  private void print(String subject, Map<String, Object> explanation, @Nullable String only) {
    if (root().output != null) {
      show(explanation, "node");
      return;
    }
    Screen screen = screen();
    out.println(
        screen.paint(Ink.BOLD, subject)
            + " "
            + screen.state(String.valueOf(explanation.get("state")))
            + ": "
            + explanation.get("summary"));
    Api.items(explanation.get("entries")).stream()
        .filter(e -> only == null || only.equals(e.get("subject")))
        .forEach(e -> entry(e, screen));
    if (explanation.get("commands") instanceof List<?> commands && !commands.isEmpty()) {
      out.println("Next:");
      commands.forEach(c -> out.println("  " + c));
    }
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
