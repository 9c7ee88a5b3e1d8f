package dev.slipway.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Shows an application while work goes on: a tree that is redrawn on a terminal, a line a change
 * elsewhere. Ctrl-C stops watching, not the work.
 */
final class Watch {
  private static final Duration QUICK = Duration.ofMillis(150);
  private static final Duration SLOW = Duration.ofSeconds(1);

  private final Api api;
  private final Screen screen;
  private final PrintStream err;
  private final Map<String, String> printed = new HashMap<>();
  private int drawn;

  Watch(Api api, Screen screen, PrintStream err) {
    this.api = api;
    this.screen = screen;
    this.err = err;
  }

  /** Until the deployment has ended, one way or the other. */
  int application(String name, String environment, String deployment, Duration timeout)
      throws InterruptedException {
    AtomicBoolean over = new AtomicBoolean();
    Thread detach =
        new Thread(
            () -> {
              if (!over.get()) {
                err.println(
                    "\nStill going on. Watch again with: slipway wait "
                        + name
                        + Hints.in(environment));
                err.flush();
              }
            });
    Runtime.getRuntime().addShutdownHook(detach);
    try {
      return follow(name, environment, deployment, Instant.now().plus(timeout)).code();
    } finally {
      over.set(true);
    }
  }

  private ExitCode follow(String name, String environment, String deployment, Instant until)
      throws InterruptedException {
    Instant started = Instant.now();
    while (true) {
      Map<String, Object> ended =
          deployment.equals("null") ? Map.of() : api.get(Verb.path("deployments", deployment));
      Map<String, Object> application = show(name, environment);
      String status = String.valueOf(ended.getOrDefault("status", "completed"));
      switch (status) {
        case "completed" -> {
          say(Ink.GOOD, name + " is " + application.getOrDefault("state", "deleted") + ".");
          return ExitCode.OK;
        }
        case "superseded" -> {
          say(Ink.WARN, "A newer revision of " + name + " has taken over.");
          return ExitCode.OK;
        }
        case "failed" -> {
          say(Ink.BAD, name + " failed. See why: slipway explain " + name + Hints.in(environment));
          return ExitCode.FAILED;
        }
        case "waiting" -> {
          say(
              Ink.WARN,
              name + " waits for an approval: slipway approve " + ended.get("approvalId"));
          return ExitCode.WAITING_FOR_APPROVAL;
        }
        default -> {
          Optional<String> asked = new PendingApprovals(api).stopping(name, environment);
          if (asked.isPresent()) {
            say(Ink.WARN, name + " waits for an approval: slipway approve " + asked.get());
            return ExitCode.WAITING_FOR_APPROVAL;
          }
          pause(started, until, name, environment);
        }
      }
    }
  }

  private void pause(Instant started, Instant until, String name, String environment)
      throws InterruptedException {
    if (Instant.now().isAfter(until)) {
      throw new Failure(
          ExitCode.TIMEOUT,
          name + " is not done yet",
          "It goes on. Watch again with: slipway wait " + name + Hints.in(environment),
          "See what it waits for: slipway explain " + name + Hints.in(environment));
    }
    Thread.sleep(
        Duration.between(started, Instant.now()).compareTo(Duration.ofSeconds(20)) < 0
            ? QUICK
            : SLOW);
  }

  private Map<String, Object> show(String name, String environment) throws InterruptedException {
    Map<String, Object> application;
    try {
      application = api.get(Verb.path("applications", name), Api.query("environment", environment));
    } catch (Failure gone) {
      return Map.of(); // deleted
    }
    List<Map<String, Object>> resources = Api.items(application.get("resources"));
    if (screen.terminal()) {
      List<String> lines = new ArrayList<>();
      lines.add(
          screen.paint(Ink.BOLD, name)
              + " "
              + screen.state(String.valueOf(application.get("state"))));
      for (int i = 0; i < resources.size(); i++) {
        lines.add((i == resources.size() - 1 ? "└─ " : "├─ ") + line(resources.get(i)));
      }
      screen.redraw(err, drawn, lines);
      drawn = lines.size();
    } else {
      resources.forEach(this::tell);
    }
    return application;
  }

  private String line(Map<String, Object> resource) {
    String state = String.valueOf(resource.get("state"));
    String text =
        "%-14s %-14s ".formatted(resource.get("name"), resource.get("type"))
            + screen.paint(screen.inkOf(state), "%-14s".formatted(state))
            + " "
            + screen.paint(Ink.DIM, "%6s".formatted(Since.age(resource.get("updatedAt"))));
    String reason = reason(resource);
    return reason.isEmpty() ? text : text + "  " + screen.paint(Ink.DIM, reason);
  }

  /** A line when a resource's state is new. */
  private void tell(Map<String, Object> resource) {
    String name = String.valueOf(resource.get("name"));
    String state = String.valueOf(resource.get("state"));
    if (!state.equals(printed.put(name, state))) {
      String reason = reason(resource);
      err.println(
          "  %-14s %-12s %s".formatted(name, resource.get("type"), state)
              + (reason.isEmpty() ? "" : "  " + reason));
    }
  }

  static String reason(Map<String, Object> resource) {
    Object reason = resource.get("reason");
    String text =
        reason instanceof Map<?, ?> map
            ? String.valueOf(map.get("message"))
            : reason == null ? "" : String.valueOf(reason);
    if (text.isEmpty()
        && resource.get("blockedBy") instanceof List<?> blocked
        && !blocked.isEmpty()) {
      text = "waits for " + String.join(", ", blocked.stream().map(String::valueOf).toList());
    }
    if (text.isEmpty() && resource.get("gate") instanceof Map<?, ?> gate) {
      text = "waits to be seen Healthy: " + gate.get("detail");
    }
    return text.length() > 100 ? text.substring(0, 99) + "…" : text;
  }

  private void say(Ink ink, String text) {
    err.println(screen.paint(ink, text));
  }
}
