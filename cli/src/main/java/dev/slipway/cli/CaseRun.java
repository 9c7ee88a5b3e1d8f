package dev.slipway.cli;

import dev.slipway.cli.cases.CaseResult;
import dev.slipway.cli.cases.Comparison;
import dev.slipway.cli.cases.Difference;
import dev.slipway.cli.cases.Observed;
import dev.slipway.cli.cases.TestCase;
import dev.slipway.cli.cases.TestCase.Action;
import dev.slipway.cli.cases.TestCase.Operation;
import dev.slipway.cli.cases.TestCase.Subject;
import dev.slipway.engine.value.Values;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Carries out one case against the server of the tests, as any client would. */
final class CaseRun {
  private static final Set<String> OVER =
      Set.of("completed", "failed", "superseded", "waiting", "rejected", "cancelled");
  private static final Set<String> ENDED = Set.of("succeeded", "failed", "partial", "cancelled");
  private static final long LOOK_AGAIN_MS = 25;

  private final TestServer server;
  private final Api api;
  private final TestCase testCase;
  private final List<Map<String, Object>> configurationProblems;
  private final Instant until;
  private final List<String> log = new ArrayList<>();
  private String resource = "";

  CaseRun(
      TestServer server,
      TestCase testCase,
      List<Map<String, Object>> configurationProblems,
      Duration timeout) {
    this.server = server;
    this.api = server.api();
    this.testCase = testCase;
    this.configurationProblems = configurationProblems;
    this.until = Instant.now().plus(timeout);
  }

  CaseResult run(String file) throws InterruptedException, IOException {
    Instant began = Instant.now();
    List<CaseResult.Failure> failures = new ArrayList<>();
    String error = "";
    try {
      for (Action action : testCase.actions()) {
        server.record(action.recorded());
        Observed observed = observe(action);
        List<Difference> differences = Comparison.of(action, observed);
        if (!differences.isEmpty()) {
          failures.add(new CaseResult.Failure(action.place(), name(action), differences));
          break; // what follows stands on what did not happen
        }
      }
    } catch (Failure failure) {
      error = failure.getMessage() + "\n" + String.join("\n", failure.lines());
    }
    return new CaseResult(
        testCase, file, Duration.between(began, Instant.now()), failures, error.strip(), log);
  }

  private static String name(Action action) {
    return action.operation().name().toLowerCase(Locale.ROOT);
  }

  private Observed observe(Action action) throws InterruptedException, IOException {
    return switch (testCase.subject()) {
      case Subject.GoldenPath path -> golden(path, action);
      case Subject.Resource wanted ->
          switch (action.operation()) {
            case CREATE, UPDATE, RUN -> deploy(wanted, action);
            case READ -> read();
            case DELETE -> delete();
          };
    };
  }

  private Observed golden(Subject.GoldenPath path, Action action)
      throws InterruptedException, IOException {
    Api.Reply reply =
        api.ask(
            "POST",
            Verb.path("golden-paths", path.name(), "execute"),
            Api.query("environment", testCase.environment()),
            Map.of("parameters", action.params()));
    if (!reply.ok()) {
      return refused(reply);
    }
    Map<String, Object> run = ended(String.valueOf(reply.body().get("id")));
    return new Observed(
        "", run, Values.map(run.getOrDefault("outputs", Map.of())), server.calls(), List.of());
  }

  private Observed deploy(Subject.Resource wanted, Action action)
      throws InterruptedException, IOException {
    Api.Reply reply =
        api.ask(
            "POST",
            "/api/applications",
            Api.query("environment", testCase.environment()),
            score(wanted, action));
    if (!reply.ok()) {
      return refused(reply);
    }
    deployed(String.valueOf(reply.body().get("deploymentId")));
    Map<String, Object> found =
        Api.items(application().get("resources")).stream()
            .filter(r -> wanted.name().equals(r.get("name")))
            .findFirst()
            .orElse(Map.of());
    resource = String.valueOf(found.get("id"));
    return observed(found, newestRun());
  }

  private Map<String, Object> score(Subject.Resource wanted, Action action) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("type", wanted.type());
    if (!wanted.resourceClass().isEmpty()) {
      one.put("class", wanted.resourceClass());
    }
    if (!wanted.annotations().isEmpty()) {
      one.put("metadata", Map.of("annotations", wanted.annotations()));
    }
    one.put("params", action.params());
    return Map.of(
        "apiVersion", "score.dev/v1b1",
        "metadata", Map.of("name", testCase.application()),
        "resources", Map.of(wanted.name(), one));
  }

  private Observed read() throws InterruptedException, IOException {
    Api.Reply reply =
        api.ask("POST", Verb.path("resources", resource, "refresh"), Map.of(), Map.of());
    if (!reply.ok()) {
      return refused(reply);
    }
    Map<String, Object> run = ended(String.valueOf(reply.body().get("runId")));
    return observed(api.get(Verb.path("resources", resource)), run);
  }

  private Observed delete() throws InterruptedException, IOException {
    Api.Reply reply =
        api.ask(
            "DELETE",
            Verb.path("applications", testCase.application()),
            Api.query("environment", testCase.environment(), "confirm", testCase.application()),
            null);
    if (!reply.ok()) {
      return refused(reply);
    }
    deployed(String.valueOf(reply.body().get("deploymentId")));
    Api.Reply left = api.ask("GET", Verb.path("resources", resource), Map.of(), null);
    Map<String, Object> found = left.ok() ? left.body() : Map.of("state", "deleted");
    return observed(found, newestRun());
  }

  private Observed refused(Api.Reply reply) {
    List<Map<String, Object>> problems = new ArrayList<>(configurationProblems);
    problems.addAll(Api.items(reply.body().get("errors")));
    if (Api.items(reply.body().get("errors")).isEmpty()) {
      String type = String.valueOf(reply.body().get("type"));
      problems.add(
          Map.of(
              "code", type.substring(type.lastIndexOf(':') + 1),
              "message", String.valueOf(reply.body().get("detail"))));
    }
    return Observed.refused(problems);
  }

  private Observed observed(Map<String, Object> found, Map<String, Object> run)
      throws InterruptedException, IOException {
    String state = String.valueOf(found.getOrDefault("state", ""));
    Map<String, Object> outputs = Map.of();
    if (!state.equals("deleted") && !resource.equals("null")) {
      outputs = api.get(Verb.path("resources", resource, "outputs"), Api.query("reveal", true));
      outputs = outputs.get("outputs") instanceof Map<?, ?> inner ? Values.map(inner) : outputs;
    }
    Map<String, Object> told = new LinkedHashMap<>(run);
    if (run.isEmpty() && found.get("reason") != null) {
      told.put("error", found.get("reason"));
    }
    return new Observed(state, told, outputs, server.calls(), List.of());
  }

  private Map<String, Object> application() throws InterruptedException {
    return api.get(
        Verb.path("applications", testCase.application()),
        Api.query("environment", testCase.environment()));
  }

  private void deployed(String deployment) throws InterruptedException {
    while (true) {
      Map<String, Object> now = api.get(Verb.path("deployments", deployment));
      if (OVER.contains(String.valueOf(now.get("status"))) || waitsForSomebody()) {
        return;
      }
      pause();
    }
  }

  private boolean waitsForSomebody() throws InterruptedException {
    return Api.items(newest().get("steps")).stream().anyMatch(RunWatch::waitsForApproval);
  }

  private Map<String, Object> ended(String run) throws InterruptedException {
    while (true) {
      Map<String, Object> now = api.get(Verb.path("workflows", run));
      boolean waits = Api.items(now.get("steps")).stream().anyMatch(RunWatch::waitsForApproval);
      if (ENDED.contains(String.valueOf(now.get("status"))) || waits) {
        logOf(now);
        return now;
      }
      pause();
    }
  }

  private Map<String, Object> newest() throws InterruptedException {
    List<Map<String, Object>> runs =
        Api.items(
            api.get(
                    "/api/workflows",
                    Api.query(
                        "app",
                        testCase.application(),
                        "environment",
                        testCase.environment(),
                        "limit",
                        1))
                .get("data"));
    return runs.isEmpty()
        ? Map.of()
        : api.get(Verb.path("workflows", String.valueOf(runs.getFirst().get("id"))));
  }

  private Map<String, Object> newestRun() throws InterruptedException {
    Map<String, Object> run = newest();
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

  private void pause() throws InterruptedException {
    if (Instant.now().isAfter(until)) {
      throw new Failure(
          ExitCode.TIMEOUT,
          "it takes too long",
          "Give it more time with --timeout, or record the step that takes it.");
    }
    Thread.sleep(LOOK_AGAIN_MS);
  }

  /** Removes what a case has made for real; says what is left when that does not work. */
  String cleanUp() throws InterruptedException, IOException {
    boolean real = testCase.actions().stream().allMatch(a -> a.recorded().isEmpty());
    boolean gone =
        testCase.actions().getLast().operation() == Operation.DELETE
            || testCase.subject() instanceof Subject.GoldenPath
            || resource.isEmpty();
    // After recorded answers a delete workflow would be told about things that never were.
    if (!real || gone) {
      return "";
    }
    try {
      delete();
      Api.Reply left = api.ask("GET", Verb.path("resources", resource), Map.of(), null);
      Object state = left.body().get("state");
      return left.ok() && !"deleted".equals(state)
          ? "what it made could not be removed again: it is " + state
          : "";
    } catch (Failure failure) {
      return "what it made could not be removed again: " + failure.getMessage();
    }
  }
}
