package dev.slipway.cli;

import dev.slipway.cli.kinds.Kind;
import dev.slipway.engine.intake.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Watches an application until its deployment has ended, or any object until its state fits. */
@Command(
    name = "wait",
    description = {
      "Waits until the last deployment of APP has ended, or until an object of KIND is done.",
      "One word is an application; KIND NAME... or KIND/NAME are objects of a kind."
    },
    footer = {
      "",
      "  slipway wait shop                    its last deployment",
      "  slipway wait run 01a1…               it has succeeded",
      "  slipway wait resource shop/db --for delete",
      "Exit codes: 0 done, 1 failed, 3 waits for an approval, 4 not yet."
    })
final class WaitVerb extends KindVerb {
  @Parameters(index = "0", paramLabel = "APP|KIND")
  String first;

  @Parameters(index = "1..*", paramLabel = "NAME", arity = "0..*")
  List<String> names = List.of();

  @Option(
      names = "--for",
      paramLabel = "STATE",
      description = "This state instead of the usual ones; 'delete' until it is gone.")
  @Nullable String state;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "Give up after this long (30m).")
  String timeout = "30m";

  @Override
  public Integer call() throws Exception {
    if (!names.isEmpty() || first.indexOf('/') >= 0) {
      return objects(objects());
    }
    if (state != null) {
      throw new Failure(
          ExitCode.USAGE,
          "--for needs a kind and a name",
          "Repeat it as: " + Hints.command() + " wait app " + first + " --for " + state);
    }
    return application(first);
  }

  private int application(String application) throws InterruptedException {
    List<Map<String, Object>> deployments =
        api()
            .list(
                "/api/deployments",
                Api.query("application", application, "environment", environment()),
                1);
    if (deployments.isEmpty()) {
      // says that there is no such application, and which one may have been meant
      api().get(path("applications", application), Api.query("environment", environment()));
    }
    Map<String, Object> newest = deployments.getFirst();
    if ("teardown".equals(newest.get("kind")) && "completed".equals(newest.get("status"))) {
      err.println(application + " is destroyed.");
      return ExitCode.OK.code();
    }
    return new Watch(api(), screen(), err)
        .application(application, environment(), String.valueOf(newest.get("id")), duration());
  }

  /** One after the other, within one timeout; the first that is not done decides the exit code. */
  private int objects(KindObjects objects) throws InterruptedException {
    List<Pair> pairs =
        names.isEmpty()
            ? pair(first, null).stream().toList()
            : names.stream().map(name -> new Pair(first, name)).toList();
    Instant until = Instant.now().plus(duration());
    int code = ExitCode.OK.code();
    for (Pair pair : pairs) {
      Kind kind = first(objects, pair.kind());
      int one = object(objects, kind, pair.name(), Duration.between(Instant.now(), until));
      code = code == ExitCode.OK.code() ? one : code;
    }
    return code;
  }

  private int object(KindObjects objects, Kind kind, String name, Duration longest)
      throws InterruptedException {
    WatchGoal goal = goal(kind);
    Optional<Map<String, Object>> object =
        switch (goal) {
          case WatchGoal.Gone _ -> objects.sought(kind, name, environment());
          case WatchGoal.Done _ -> Optional.of(objects.named(kind, name, environment()));
          case WatchGoal.InState _ -> Optional.of(objects.named(kind, name, environment()));
        };
    if (object.isEmpty()) {
      err.println(kind.name() + " " + name + " is gone.");
      return ExitCode.OK.code();
    }
    return new ObjectWatch(objects, screen(), err).until(kind, object.get(), goal, longest).code();
  }

  /** What {@code --for} says: a state, also as {@code state=STATE}, or {@code delete}. */
  private WatchGoal goal(Kind kind) {
    String text = state == null ? "" : state;
    int equals = text.indexOf('=');
    if (equals < 0) {
      return WatchGoal.of(text);
    }
    String field = text.substring(0, equals);
    if (kind.states() == null || !field.equals(kind.states().field())) {
      throw new Failure(
          ExitCode.USAGE,
          "--for " + text + ": there is nothing called '" + field + "' to wait for",
          kind.states() == null
              ? kind.plural() + " have no states; --for delete waits until one is gone."
              : "Write a state, such as --for " + kind.states().done().getFirst() + ", or delete.");
    }
    return WatchGoal.of(text.substring(equals + 1));
  }

  private Duration duration() {
    return DurationText.parse(timeout)
        .orElseThrow(
            () ->
                new Failure(
                    ExitCode.USAGE, "'" + timeout + "' is no duration", DurationText.FORMS));
  }
}
