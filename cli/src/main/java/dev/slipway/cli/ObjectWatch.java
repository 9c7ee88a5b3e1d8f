package dev.slipway.cli;

import dev.slipway.cli.kinds.InvolvedObject;
import dev.slipway.cli.kinds.Kind;
import dev.slipway.cli.kinds.Kind.Operation;
import dev.slipway.cli.kinds.States;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Looks at one object of any kind until it is as it should be, a line for each new state. */
final class ObjectWatch {
  private static final Duration QUICK = Duration.ofMillis(150);
  private static final Duration SLOW = Duration.ofSeconds(1);

  private final KindObjects objects;
  private final Screen screen;
  private final PrintStream err;
  private String printed = "";

  ObjectWatch(KindObjects objects, Screen screen, PrintStream err) {
    this.objects = objects;
    this.screen = screen;
    this.err = err;
  }

  ExitCode until(Kind kind, Map<String, Object> object, WatchGoal goal, Duration timeout)
      throws InterruptedException {
    if (kind.states() == null && !(goal instanceof WatchGoal.Gone)) {
      throw kind.instead().containsKey(Operation.WAIT)
          ? objects.without(kind, Operation.WAIT)
          : new Failure(
              ExitCode.USAGE,
              kind.plural() + " have no states to wait for",
              "--for delete waits until one is gone.");
    }
    Instant started = Instant.now();
    Map<String, Object> now = object;
    while (true) {
      Optional<ExitCode> end = judge(kind, now, goal);
      if (end.isPresent()) {
        return end.get();
      }
      pause(kind, now, started, timeout);
      Optional<Map<String, Object>> next = objects.byKey(kind, now);
      if (next.isEmpty()) {
        return gone(kind, now, goal);
      }
      now = next.get();
    }
  }

  private Optional<ExitCode> judge(Kind kind, Map<String, Object> object, WatchGoal goal)
      throws InterruptedException {
    String state = kind.stateOf(object).orElse("");
    tell(state);
    boolean failed = kind.states() != null && kind.states().failed().contains(state);
    List<Work> work = work(kind, object);
    boolean workFailed = work.stream().anyMatch(Work::failed);
    boolean busy = work.stream().anyMatch(each -> !each.over());
    boolean reached =
        switch (goal) {
          case WatchGoal.Done _ ->
              !busy && !workFailed && kind.states() != null && kind.states().done().contains(state);
          case WatchGoal.InState wanted -> wanted.state().equalsIgnoreCase(state);
          case WatchGoal.Gone _ -> state.equals("deleted");
        };
    if (reached) {
      say(Ink.GOOD, KindVerb.called(kind, object) + " is " + state + ".");
      return Optional.of(ExitCode.OK);
    }
    boolean ends =
        switch (goal) {
          case WatchGoal.Done _ -> !busy && (failed || workFailed);
          case WatchGoal.InState _ -> !busy && failed;
          case WatchGoal.Gone going ->
              going.before().isPresent()
                  && !going.before().get().equals(object)
                  && !busy
                  && (failed || workFailed);
        };
    if (ends) {
      say(Ink.BAD, KindVerb.called(kind, object) + " is " + state + "." + why(kind, object));
      return Optional.of(ExitCode.FAILED);
    }
    return approval(kind, object);
  }

  private ExitCode gone(Kind kind, Map<String, Object> object, WatchGoal goal) {
    return switch (goal) {
      case WatchGoal.Done _ -> ended(kind, object, ExitCode.OK);
      case WatchGoal.Gone _ -> ended(kind, object, ExitCode.OK);
      case WatchGoal.InState _ -> ended(kind, object, ExitCode.FAILED);
    };
  }

  private ExitCode ended(Kind kind, Map<String, Object> object, ExitCode code) {
    say(code == ExitCode.OK ? Ink.GOOD : Ink.BAD, KindVerb.called(kind, object) + " is gone.");
    return code;
  }

  /** Work on an object that the server reports separately, as {@code deploymentStatus}. */
  private record Work(States states, String status) {
    boolean failed() {
      return states.failed().contains(status);
    }

    boolean over() {
      return failed() || states.done().contains(status);
    }
  }

  private List<Work> work(Kind kind, Map<String, Object> object) {
    return objects.table().kinds().stream()
        .filter(other -> other != kind && other.states() != null)
        .filter(other -> object.get(other.name() + "Status") != null)
        .map(
            other ->
                new Work(
                    Objects.requireNonNull(other.states()),
                    String.valueOf(object.get(other.name() + "Status"))))
        .toList();
  }

  /** A person has to agree first. */
  private Optional<ExitCode> approval(Kind kind, Map<String, Object> object)
      throws InterruptedException {
    InvolvedObject involved = new InvolvedObject(kind, object);
    Optional<Object> asked =
        new PendingApprovals(objects.api())
            .list().stream()
                .filter(involved::nearby)
                .map(each -> each.get("id"))
                .filter(id -> id != null && !id.equals(object.get("id")))
                .findFirst();
    asked.ifPresent(
        id ->
            say(
                Ink.WARN,
                KindVerb.called(kind, object)
                    + " waits for an approval: "
                    + Hints.command()
                    + " approve "
                    + id));
    return asked.map(_ -> ExitCode.WAITING_FOR_APPROVAL);
  }

  private static void pause(
      Kind kind, Map<String, Object> object, Instant started, Duration timeout)
      throws InterruptedException {
    Duration waited = Duration.between(started, Instant.now());
    if (waited.compareTo(timeout) >= 0) {
      throw new Failure(
          ExitCode.TIMEOUT,
          KindVerb.called(kind, object)
              + " is not done yet"
              + kind.stateOf(object).map(state -> ": it is " + state).orElse(""),
          "See more: " + KindVerb.command("describe", kind, object));
    }
    Thread.sleep(waited.compareTo(Duration.ofSeconds(20)) < 0 ? QUICK : SLOW);
  }

  private static String why(Kind kind, Map<String, Object> object) {
    String verb = kind.route(Operation.EXPLAIN).isPresent() ? "explain" : "describe";
    return " See why: " + KindVerb.command(verb, kind, object);
  }

  private void tell(String state) {
    if (!state.isEmpty() && !state.equals(printed)) {
      printed = state;
      err.println("  " + screen.state(state));
    }
  }

  private void say(Ink ink, String text) {
    err.println(screen.paint(ink, text));
  }
}
