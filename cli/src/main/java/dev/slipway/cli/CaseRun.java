package dev.slipway.cli;

import dev.slipway.cli.CaseWatch.Place;
import dev.slipway.cli.TestResource.Done;
import dev.slipway.cli.TestResource.Leftovers;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Carries out one case against the server of the tests, as any client would. */
final class CaseRun {
  private final TestServer server;
  private final TestCase testCase;
  private final List<Map<String, Object>> configurationProblems;
  private final CaseWatch watch;
  private final Optional<TestResource> resource;
  private Map<String, Object> created = Map.of();

  CaseRun(
      TestServer server,
      TestCase testCase,
      List<Map<String, Object>> configurationProblems,
      Duration timeout) {
    this.server = server;
    this.testCase = testCase;
    this.configurationProblems = configurationProblems;
    this.watch = new CaseWatch(server.api(), timeout);
    this.resource =
        testCase.subject() instanceof Subject.Resource wanted
            ? Optional.of(
                new TestResource(
                    server,
                    server.api(),
                    new Place(testCase.environment(), testCase.application(), wanted),
                    watch))
            : Optional.empty();
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
          failures.add(new CaseResult.Failure(action.place(), name(action), differences, ""));
          break; // what follows stands on what did not happen
        }
      }
    } catch (Failure failure) {
      error = failure.getMessage() + "\n" + String.join("\n", failure.lines());
    }
    return new CaseResult(
        testCase,
        file,
        Duration.between(began, Instant.now()),
        failures,
        error.strip(),
        watch.log());
  }

  /** The outputs that the create run left. */
  Map<String, Object> created() {
    return created;
  }

  private static String name(Action action) {
    return action.operation().name().toLowerCase(Locale.ROOT);
  }

  private Observed observe(Action action) throws InterruptedException, IOException {
    Observed observed =
        testCase.subject() instanceof Subject.GoldenPath path
            ? golden(path, action)
            : done(resource.orElseThrow(), action);
    if (action.operation() == Operation.CREATE) {
      created = observed.outputs();
    }
    return observed.problems().isEmpty() ? observed : withProblemsOfConfiguration(observed);
  }

  private static Observed done(TestResource resource, Action action)
      throws InterruptedException, IOException {
    return switch (action.operation()) {
      case CREATE, UPDATE, RUN ->
          resource.deploy(
              action.params(), action.recorded().isEmpty() ? Done.OBSERVED : Done.CARRIED_OUT);
      case READ -> resource.read();
      case DELETE -> resource.delete(Leftovers.BY_POLICY);
    };
  }

  private Observed golden(Subject.GoldenPath path, Action action)
      throws InterruptedException, IOException {
    Api.Reply reply =
        server
            .api()
            .ask(
                "POST",
                Verb.path("golden-paths", path.name(), "execute"),
                Api.query("environment", testCase.environment()),
                Map.of("parameters", action.params()));
    if (!reply.ok()) {
      return TestResource.refused(reply);
    }
    Map<String, Object> run = watch.ended(String.valueOf(reply.body().get("id")));
    return new Observed(
        "", run, Values.map(run.getOrDefault("outputs", Map.of())), server.calls(), List.of());
  }

  private Observed withProblemsOfConfiguration(Observed observed) {
    List<Map<String, Object>> problems = new ArrayList<>(configurationProblems);
    problems.addAll(observed.problems());
    return Observed.refused(problems);
  }

  /** Removes what a case has made for real; says what is left when that does not work. */
  String cleanUp() throws InterruptedException, IOException {
    boolean real = testCase.actions().stream().allMatch(a -> a.recorded().isEmpty());
    boolean gone = testCase.actions().getLast().operation() == Operation.DELETE;
    Optional<TestResource> made = resource.filter(r -> r.id().isPresent());
    // A delete workflow would act on outputs that come from recorded answers.
    if (!real || gone || made.isEmpty()) {
      return "";
    }
    try {
      made.get().delete(Leftovers.BY_POLICY);
      String state = made.get().state();
      return state.equals("deleted")
          ? ""
          : "what it made could not be removed again: it is " + state;
    } catch (Failure failure) {
      return "what it made could not be removed again: " + failure.getMessage();
    }
  }
}
