package dev.slipway.server.api;

import static dev.slipway.web.Route.get;
import static dev.slipway.web.Route.post;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.postgres.overview.Statistics;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Callers;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Operations for administrators: configuration, reload and counts. */
public record AdminApi(
    Supplier<AdminConfig> config,
    Supplier<Reloaded> reload,
    Statistics statistics,
    Supplier<Registry> registry) {
  /** The result of a reload: the diagnostics of the configuration, and the loaded providers. */
  public record Reloaded(List<Diagnostic> diagnostics, Registry registry) {}

  public List<Route> routes() {
    return List.of(
        get("/api/admin/config")
            .needs(Action.ADMINISTER)
            .named("showConfig", "The configuration in force, secrets masked")
            .gives(200, "the configuration", "Object")
            .by(call -> Answer.ok(config.get().view())),
        post("/api/admin/reload")
            .needs(Action.OPERATE)
            .named("reload", "Read the configuration and all providers again")
            .gives(200, "what is loaded now", "Reloaded")
            .in(Route.Lane.OUTSIDE)
            .by(this::reload),
        get("/api/stats")
            .needs(Action.READ)
            .named("stats", "How many there are of everything that the caller may see")
            .gives(200, "counts by state", "Stats")
            .by(this::stats));
  }

  private Answer reload(Call call) {
    Reloaded reloaded = reload.get();
    List<Diagnostic> errors = reloaded.diagnostics().stream().filter(Diagnostic::isError).toList();
    if (!errors.isEmpty()) {
      throw Problem.of(
              422,
              "invalid-configuration",
              "The configuration is not valid",
              "The one from before stays in force. " + errors.size() + " errors.")
          .withErrors(errors.stream().map(AdminApi::fault).toList())
          .exception();
    }
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("status", "reloaded");
    out.put("warnings", reloaded.diagnostics());
    out.putAll(ProviderViews.report(reloaded.registry()));
    return Answer.ok(out);
  }

  private Answer stats(Call call) {
    Statistics.Counts counts = statistics.counts(Callers.teams(call.caller(), Action.READ));
    Map<String, Object> out = new LinkedHashMap<>(counts.objects());
    out.put("runs", counts.runs());
    out.put("pendingApprovals", counts.pendingApprovals());
    out.put("atLeast", counts.atLeast().stream().sorted().toList());
    out.put("providers", registry.get().providers().size());
    out.put("conflicts", registry.get().conflicts().size());
    return Answer.ok(out);
  }

  static Problem.Fault fault(Diagnostic d) {
    return new Problem.Fault(d.code(), d.path(), d.line(), d.column(), d.message(), d.hint());
  }
}
