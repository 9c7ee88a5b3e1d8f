package dev.slipway.cli;

import dev.slipway.cli.cases.TestCase.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Waits for runs and deployments of a case, as long as the case may take, and keeps their logs. */
final class CaseWatch {
  private static final Set<String> OVER =
      Set.of("completed", "failed", "superseded", "waiting", "rejected", "cancelled");
  private static final Set<String> ENDED = Set.of("succeeded", "failed", "partial", "cancelled");
  private static final long LOOK_AGAIN_MS = 25;

  private final Api api;
  private final Instant until;
  private final List<String> log = new ArrayList<>();

  /** Where a case asks for its resource, and under which names. */
  record Place(String environment, String application, Subject.Resource subject) {}

  CaseWatch(Api api, Duration timeout) {
    this.api = api;
    this.until = Instant.now().plus(timeout);
  }

  /** What steps wrote so far. */
  List<String> log() {
    return log;
  }

  /** Returns when the deployment is over or a step of it waits for an approval. */
  void deployed(String deployment, Place place) throws InterruptedException {
    while (!over(deployment, place)) {
      pause();
    }
  }

  /** Whether the deployment is over or a step of it waits for an approval. */
  boolean over(String deployment, Place place) throws InterruptedException {
    Map<String, Object> now = api.get(Verb.path("deployments", deployment));
    return OVER.contains(String.valueOf(now.get("status"))) || waitsForApproval(newest(place));
  }

  /** The run when it is over or a step of it waits for an approval. */
  Map<String, Object> ended(String run) throws InterruptedException {
    while (true) {
      Map<String, Object> now = api.get(Verb.path("workflows", run));
      if (ENDED.contains(String.valueOf(now.get("status"))) || waitsForApproval(now)) {
        logOf(now);
        return now;
      }
      pause();
    }
  }

  static boolean waitsForApproval(Map<String, Object> run) {
    return Api.items(run.get("steps")).stream().anyMatch(RunWatch::waitsForApproval);
  }

  private Map<String, Object> newest(Place place) throws InterruptedException {
    List<Map<String, Object>> runs =
        Api.items(
            api.get(
                    "/api/workflows",
                    Api.query(
                        "application",
                        place.application(),
                        "environment",
                        place.environment(),
                        "limit",
                        1))
                .get("data"));
    return runs.isEmpty()
        ? Map.of()
        : api.get(Verb.path("workflows", String.valueOf(runs.getFirst().get("id"))));
  }

  Map<String, Object> newestRun(Place place) throws InterruptedException {
    Map<String, Object> run = newest(place);
    logOf(run);
    return run;
  }

  private void logOf(Map<String, Object> run) throws InterruptedException {
    for (Map<String, Object> step : Api.items(run.get("steps"))) {
      if (step.get("startedAt") != null) {
        String name = String.valueOf(step.get("name"));
        new LogLines(api, line -> log.add(name + " | " + line))
            .print(String.valueOf(run.get("id")), name, LogLines.Until.NOW);
      }
    }
  }

  void pause() throws InterruptedException {
    if (Instant.now().isAfter(until)) {
      throw new Failure(
          ExitCode.TIMEOUT,
          "it takes too long",
          "Give it more time with --timeout, or record the step that takes it.");
    }
    Thread.sleep(LOOK_AGAIN_MS);
  }
}
