package dev.slipway.applications.api;

import static dev.slipway.web.Route.get;
import static dev.slipway.web.Route.post;

import dev.slipway.applications.store.ResourceStore;
import dev.slipway.applications.store.Resources;
import dev.slipway.postgres.modules.ModuleHistory;
import dev.slipway.postgres.modules.ModuleHistory.Restored;
import dev.slipway.postgres.modules.ModuleHistory.Version;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Callers;
import dev.slipway.web.Fields;
import dev.slipway.web.Lists;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;

/** The Terraform states kept for a resource's modules, and restoring one of them. */
public record StateApi(ResourceStore resources, ModuleHistory history) {
  public List<Route> routes() {
    return List.of(
        get("/api/resources/{id}/states")
            .needs(Action.OPERATE)
            .named("listStates", "States of its Terraform modules that are kept, newest first")
            .paged()
            .gives(200, "a piece of the list", "ModuleState[]")
            .by(
                call ->
                    Lists.piece(
                        call, history.of(seen(call)).stream().map(StateApi::view).toList())),
        post("/api/resources/{id}/states/restore")
            .needs(Action.OPERATE)
            .named("restoreState", "Let the next run begin with a state that is kept")
            .takes(Route.Content.JSON, "StateRestore")
            .gives(200, "what counts now", "RestoredState")
            .is(Route.Trait.IDEMPOTENT)
            .by(this::restore));
  }

  private UUID seen(Call call) {
    UUID id = call.id("id", "resource");
    Resources.View view = resources.show(Callers.of(call), id);
    call.touch("resource", id.toString(), view.team());
    return id;
  }

  private Answer restore(Call call) {
    UUID id = seen(call);
    Fields fields = call.json().only("version", "module");
    long version =
        fields.number("version").orElseThrow(() -> Fields.wrongField("version", "is required"));
    return switch (history.restore(id, fields.text("module"), version)) {
      case Restored.Done done -> Answer.ok(view(done));
      case Restored.Locked locked ->
          throw Problem.conflict(
                  "Step '%s' of run %s works on module %s. Wait for its end, or cancel it."
                      .formatted(locked.step(), locked.run(), locked.module()))
              .exception();
      case Restored.Unknown unknown ->
          throw Problem.conflict(
                  unknown.kept().isEmpty()
                      ? "No state of a Terraform module is kept of this resource."
                      : "Name one state by version and module. There are: "
                          + unknown.kept().stream()
                              .map(v -> v.module() + " version " + v.version())
                              .collect(Collectors.joining(", "))
                          + ".")
              .exception();
    };
  }

  private static Map<String, Object> view(Restored.Done done) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("module", done.module());
    out.put("version", done.version());
    out.put("before", done.before());
    out.values().removeIf(Objects::isNull);
    return out;
  }

  private static Map<String, Object> view(Version version) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("module", version.module());
    out.put("version", version.version());
    out.put("standing", version.role().name().toLowerCase(Locale.ROOT));
    out.put("runId", version.run());
    out.put("step", version.step());
    out.put("writtenAt", version.writtenAt());
    out.put("bytes", version.bytes());
    return out;
  }
}
