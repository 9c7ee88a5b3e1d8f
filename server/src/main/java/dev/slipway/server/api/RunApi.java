package dev.slipway.server.api;

import static dev.slipway.web.Route.get;
import static dev.slipway.web.Route.post;

import dev.slipway.engine.access.Teams;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.workflow.Workflow;
import dev.slipway.postgres.Total;
import dev.slipway.postgres.overview.RunFilter;
import dev.slipway.postgres.overview.RunList;
import dev.slipway.postgres.overview.RunView;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Callers;
import dev.slipway.web.Fields;
import dev.slipway.web.Paging;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.StreamRights;
import dev.slipway.web.access.Action;
import dev.slipway.web.branch.SubjectRetry;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Runs: list, read, follow, retry, cancel. */
public record RunApi(
    RunList runs,
    RunStore store,
    RunRetry retry,
    RunLogs logs,
    Function<String, Optional<Workflow>> definitions,
    InstantSource clock) {
  private static final Map<String, SubjectRetry.By> DEFINITIONS =
      Map.of("stored", SubjectRetry.By.STORED, "latest", SubjectRetry.By.LATEST);

  public List<Route> routes() {
    return List.of(
        get("/api/workflows")
            .needs(Action.READ)
            .named("listRuns", "Runs, newest first, without their steps")
            .query("application", new Route.OldSpelling("app"), "only those of this application")
            .query("environment", "only those of this environment")
            .query("status", "only those in this state")
            .query(
                "search",
                "only those with this text in id, workflow, provider, application or resource, of"
                    + " the newest "
                    + RunFilter.SEARCHED)
            .query("resource", "only those of the resource with this id")
            .query("parent", "only those that this run made, or that retry it")
            .query("page", Route.Parameter.Kind.NUMBER, "the page, from 1, instead of continue")
            .paged()
            .gives(200, "a piece of the list", "Run[]")
            .by(this::list),
        get("/api/workflows/{id}")
            .needs(Action.READ)
            .named("showRun", "One run with its steps and the runs that it made")
            .gives(200, "the run", "Run")
            .by(call -> Answer.ok(new RunViews(definitions).view(find(call)))),
        get("/api/workflows/{id}/steps/{step}/logs")
            .needs(Action.READ)
            .named(
                "stepLogs",
                "What a step said: one JSON object {t, s, m} a line, or plain text if that is what"
                    + " is accepted")
            .query("follow", Route.Parameter.Kind.FLAG, "go on until the step has ended")
            .givesText(200, "lines", "application/x-ndjson")
            .is(Route.Trait.STREAM)
            .by(this::logs),
        post("/api/workflows/{id}/retry")
            .needs(Action.CHANGE)
            .named(
                "retryRun",
                "A new run that takes over the steps that succeeded; or, for a run whose rollback"
                    + " is incomplete, a new rollback of what was not undone")
            .takes(Route.Content.OPTIONAL_JSON, "RunRetry")
            .gives(202, "the new run", "Run")
            .is(Route.Trait.IDEMPOTENT)
            .is(Route.Trait.STARTS_RUNS)
            .by(this::retry),
        post("/api/workflows/{id}/cancel")
            .needs(Action.CHANGE)
            .named("cancelRun", "Stop a run and what it is doing")
            .query("force", Route.Parameter.Kind.FLAG, "skip steps that always run; for operators")
            .gives(202, "it was asked to stop", "Run")
            .in(Route.Lane.RELIEF)
            .by(this::cancel));
  }

  private Answer list(Call call) {
    Paging paging = Paging.of(call);
    RunFilter filter =
        new RunFilter(
            call.query("application").orElse(null),
            call.query("environment").orElse(null),
            call.query("status").map(RunApi::state).orElse(null),
            call.query("search").orElse(null),
            call.query("resource").flatMap(Call::uuid).orElse(null),
            call.query("parent").flatMap(Call::uuid).orElse(null));
    long page = call.number("page").orElse(1L);
    long last = Total.MOST / paging.limit();
    if (page < 1 || page > last) {
      throw Problem.badRequest(
              "The parameter 'page' is 1 to " + last + "; 'continue' goes further.")
          .exception();
    }
    RunList.Place place = new RunList.Place(paging.afterId(), (page - 1) * paging.limit());
    RunList.Part part = runs.list(visible(call), filter, place, paging.limit());
    Optional<String> next =
        part.more() ? Optional.of(part.runs().getLast().id().toString()) : Optional.empty();
    return Answer.ok(
        Paging.page(part.runs().stream().map(RunViews::summary).toList(), next, part.total()));
  }

  private static RunState state(String text) {
    return Arrays.stream(RunState.values())
        .filter(state -> state.text().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                Problem.badRequest(
                        "There is no run status '"
                            + text
                            + "'. There are: "
                            + Arrays.stream(RunState.values())
                                .map(RunState::text)
                                .collect(Collectors.joining(", "))
                            + ".")
                    .exception());
  }

  private Answer logs(Call call) {
    RunView run = find(call);
    String step = call.path("step");
    boolean known =
        run.steps().stream().anyMatch(s -> s.name().equals(step))
            || RunSteps.of(run, definitions.apply(run.definition())).names().contains(step);
    if (!known) {
      throw Problem.notFound("step", step).exception();
    }
    boolean plain = call.header("Accept").orElse("").startsWith("text/plain");
    RunLogs.Wanted wanted =
        new RunLogs.Wanted(run.id(), step, plain ? RunLogs.Form.TEXT : RunLogs.Form.JSON_LINES);
    return call.flag("follow")
        ? logs.follow(call, wanted, new StreamRights(() -> mayRead(call, run.team())))
        : logs.soFar(wanted);
  }

  /** Looked up again while a log is followed: tokens are revoked and roles change. */
  private static boolean mayRead(Call call, String team) {
    return call.again().filter(caller -> caller.may(Action.READ, team)).isPresent();
  }

  private Answer retry(Call call) {
    Fields fields = call.json().only("from", "definition", "rollback");
    RunView run = find(call);
    call.touch("run", run.id().toString(), run.team());
    RunRetry.RetryRequest request =
        new RunRetry.RetryRequest(fields.text("from"), definition(fields));
    boolean rollback = fields.flag("rollback").orElse(false);
    if (rollback && (fields.has("from") || fields.has("definition"))) {
      throw Fields.wrongField("rollback", "goes with neither 'from' nor 'definition'");
    }
    UUID fresh =
        rollback
            ? retry.rollback(Callers.of(call), run)
            : retry.retry(Callers.of(call), run, request);
    return Answer.of(
            202, new RunViews(definitions).view(runs.find(new Teams.Every(), fresh).orElseThrow()))
        .with("Location", "/api/workflows/" + fresh);
  }

  private static SubjectRetry.By definition(Fields fields) {
    SubjectRetry.By by = DEFINITIONS.get(fields.text("definition").orElse("stored"));
    if (by == null) {
      throw Fields.wrongField("definition", "is stored or latest");
    }
    return by;
  }

  private Answer cancel(Call call) {
    RunView run = find(call);
    call.touch("run", run.id().toString(), run.team());
    boolean force = call.flag("force");
    if (force) {
      call.touch(Action.OPERATE, "run", run.id().toString(), run.team());
    }
    RunStore.Cancel how = force ? RunStore.Cancel.FORCED : RunStore.Cancel.REQUESTED;
    return switch (store.cancel(run.id(), how, clock.instant())) {
      case ASKED -> Answer.of(202, new RunViews(definitions).view(find(call)));
      case FINISHED_ALREADY ->
          throw Problem.conflict(
                  "Run " + run.id() + " has ended already: " + run.status().text() + ".")
              .exception();
      case UNKNOWN_RUN -> throw Problem.notFound("run", run.id().toString()).exception();
    };
  }

  private RunView find(Call call) {
    UUID id = call.id("id", "run");
    RunView run =
        runs.find(visible(call), id)
            .orElseThrow(() -> Problem.notFound("run", id.toString()).exception());
    call.concerns(run.team());
    return run;
  }

  private static Teams visible(Call call) {
    return Callers.teams(call.caller(), Action.READ);
  }
}
