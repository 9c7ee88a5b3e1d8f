package dev.slipway.server.api;

import static dev.slipway.web.Route.get;
import static dev.slipway.web.Route.post;

import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.resolve.Breach;
import dev.slipway.engine.resolve.GoldenPath;
import dev.slipway.engine.workflow.ParameterBinding.Words;
import dev.slipway.postgres.environments.EnvironmentStore;
import dev.slipway.postgres.runs.PlannedRuns;
import dev.slipway.server.golden.GoldenPathRun;
import dev.slipway.server.golden.GoldenPathRun.Prepared;
import dev.slipway.server.golden.GoldenPaths;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Callers;
import dev.slipway.web.Fields;
import dev.slipway.web.Lists;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import dev.slipway.web.access.Identity;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Golden paths: list, read and start them. */
public record GoldenPathApi(
    GoldenPaths paths,
    EnvironmentStore environments,
    Supplier<GoldenPathRun> preparation,
    RunStore runs,
    PlannedRuns planned,
    Supplier<UUID> ids,
    InstantSource clock) {
  public List<Route> routes() {
    return List.of(
        get("/api/golden-paths")
            .needs(Action.READ)
            .named("listGoldenPaths", "Golden paths by name")
            .paged()
            .gives(200, "a piece of the list", "GoldenPath[]")
            .by(call -> Lists.piece(call, paths.all().stream().map(GoldenPathSheet::of).toList())),
        get("/api/golden-paths/{name}")
            .needs(Action.READ)
            .named("showGoldenPath", "One golden path with its parameters")
            .gives(200, "the path", "GoldenPath")
            .by(call -> Answer.ok(GoldenPathSheet.of(find(call)))),
        post("/api/golden-paths/{name}/execute")
            .needs(Action.CHANGE)
            .named("executeGoldenPath", "Start a golden path")
            .query("environment", "where; 'default' if not given")
            .query("team", "whose run it is; needed by members of several teams")
            .query("dryRun", Route.Parameter.Kind.FLAG, "only check the parameters")
            .takes(Route.Content.OPTIONAL_JSON, "GoldenPathOrder")
            .gives(200, "dry run: it could be started", "GoldenPathChecked")
            .gives(202, "the run that was made, or that waits for an approval", "GoldenPathStarted")
            .is(Route.Trait.IDEMPOTENT)
            .is(Route.Trait.STARTS_RUNS)
            .by(this::execute),
        post("/api/workflows/golden-paths/{name}/execute")
            .needs(Action.CHANGE)
            .named("executeGoldenPathByQuery", "Start a golden path; parameters as param.NAME")
            .query("param.*", "the value of a parameter")
            .query("environment", "where; 'default' if not given")
            .query("team", "whose run it is; needed by members of several teams")
            .takes(Route.Content.OPTIONAL_DOCUMENT, "Object")
            .gives(202, "the run that was made, or that waits for an approval", "GoldenPathStarted")
            .is(Route.Trait.IDEMPOTENT)
            .is(Route.Trait.STARTS_RUNS)
            .by(this::executeByQuery));
  }

  private Answer execute(Call call) {
    Fields fields = call.json().only("parameters", "spec", "team", "environment");
    Optional<String> spec = fields.text("spec");
    return start(
        call,
        new LinkedHashMap<>(fields.object("parameters")),
        Words.QUERY,
        spec.map(text -> spec(text.getBytes(StandardCharsets.UTF_8))).orElse(null),
        call.query("team").or(() -> fields.text("team")),
        call.query("environment").or(() -> fields.text("environment")));
  }

  private Answer executeByQuery(Call call) {
    byte[] body = call.body();
    return start(
        call,
        new LinkedHashMap<>(call.queriesUnder("param.")),
        Words.QUERY,
        body.length == 0 ? null : spec(body),
        call.query("team"),
        call.query("environment"));
  }

  private Answer start(
      Call call,
      Map<String, Object> parameters,
      Words words,
      @Nullable Object spec,
      Optional<String> wantedTeam,
      Optional<String> environment) {
    GoldenPath path = find(call);
    String team = team(call, wantedTeam);
    String place = environment.orElse("default");
    environments.enter(Callers.of(call), place);
    paths
        .refusal(path, place, parameters)
        .ifPresent(
            breach -> {
              throw Problem.of(
                      403, Breach.CODE, "A policy does not allow it", sentence(breach.message()))
                  .with("policy", breach.policy())
                  .with("hint", breach.hint())
                  .exception();
            });
    if (!path.open(team)) {
      throw Problem.forbidden("Golden path '" + path.name() + "' is not for team '" + team + "'.")
          .exception();
    }
    runnable(path);
    Prepared prepared =
        preparation
            .get()
            .prepare(
                path,
                new GoldenPathRun.Order(
                    ids.get(),
                    call.caller().name(),
                    team,
                    place,
                    parameters,
                    words,
                    spec,
                    clock.instant()));
    return switch (prepared) {
      case Prepared.Ready ready ->
          call.flag("dryRun") ? checked(ready.run()) : accepted(ready.run());
      case Prepared.Refused refused ->
          throw Problem.of(
                  422,
                  "invalid-parameters",
                  "The parameters are not valid",
                  refused.problems().size() + " errors")
              .withErrors(
                  refused.problems().stream()
                      .map(
                          p ->
                              new Problem.Fault(
                                  p.code(),
                                  "parameters." + p.parameter(),
                                  null,
                                  null,
                                  p.message(),
                                  p.hint()))
                      .toList())
              .exception();
    };
  }

  private void runnable(GoldenPath path) {
    List<Diagnostic> missing = paths.missing(path);
    if (!missing.isEmpty()) {
      boolean program = missing.getFirst().code().equals("missing-program");
      throw Problem.of(
              409,
              program ? "missing-program" : "missing-workflow",
              program ? "The server lacks a program" : "A workflow that it calls is missing",
              "Golden path '" + path.name() + "' cannot run here: " + missing.getFirst().text())
          .exception();
    }
  }

  private static Answer checked(NewRun run) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("workflow", run.definition().workflow().name());
    out.put("environment", run.tenancy().environment());
    out.put("team", run.tenancy().team());
    out.put("status", "valid");
    return Answer.ok(out);
  }

  private Answer accepted(NewRun run) {
    return paths.guarded(run.tenancy().environment()) ? waiting(run) : started(run);
  }

  /** The vote that grants the approval creates the run. */
  private Answer waiting(NewRun run) {
    PlannedRuns.Waiting waiting = planned.ask(run);
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("id", waiting.run());
    out.put("workflow", run.definition().workflow().name());
    out.put("environment", run.tenancy().environment());
    out.put("team", run.tenancy().team());
    out.put("status", "waiting");
    out.put("approvalId", waiting.approval());
    out.put("planHash", waiting.hash());
    return Answer.of(202, out).with("Location", "/api/approvals/" + waiting.approval());
  }

  private Answer started(NewRun run) {
    runs.insert(List.of(run));
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("id", run.id());
    out.put("workflow", run.definition().workflow().name());
    out.put("environment", run.tenancy().environment());
    out.put("team", run.tenancy().team());
    out.put("status", "pending");
    return Answer.of(202, out).with("Location", "/api/workflows/" + run.id());
  }

  private static String sentence(String phrase) {
    return Character.toUpperCase(phrase.charAt(0)) + phrase.substring(1) + ".";
  }

  /** The team of the run: the requested one, else the caller's only one. */
  private static String team(Call call, Optional<String> wanted) {
    Identity caller = call.caller();
    if (wanted.isPresent()) {
      if (!caller.may(Action.CHANGE, wanted.get())) {
        throw Problem.forbidden("You may not start runs for team '" + wanted.get() + "'.")
            .exception();
      }
      call.concerns(wanted.get());
      return wanted.get();
    }
    Set<String> own =
        switch (caller.reach(Action.CHANGE)) {
          case Identity.Reach.EveryTeam every -> Set.of("default");
          case Identity.Reach.Some some -> some.teams();
        };
    if (own.size() != 1) {
      throw Problem.badRequest(
              "You belong to several teams: say whose run it is with ?team=NAME, one of "
                  + String.join(", ", own.stream().sorted().toList())
                  + ".")
          .exception();
    }
    String team = own.iterator().next();
    call.concerns(team);
    return team;
  }

  private GoldenPath find(Call call) {
    String name = call.path("name");
    return paths.find(name).orElseThrow(() -> Problem.notFound("golden path", name).exception());
  }

  private static @Nullable Object spec(byte[] body) {
    Diagnostics diagnostics = new Diagnostics();
    Optional<Document> document = Document.parse("score.yaml", body, Limits.DEFAULT, diagnostics);
    if (document.isEmpty()) {
      throw new RefusedException(
          new Refusal.Invalid(Refusal.Invalid.Stage.UNREADABLE, diagnostics.all()));
    }
    return document.get().plain();
  }
}
