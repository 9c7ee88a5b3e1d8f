package dev.slipway.server.api;

import static dev.slipway.server.http.Route.get;
import static dev.slipway.server.http.Route.post;

import dev.slipway.postgres.applications.Resources;
import dev.slipway.postgres.modules.ModuleHistory;
import dev.slipway.postgres.modules.ModuleHistory.Restored;
import dev.slipway.postgres.modules.ModuleHistory.Version;
import dev.slipway.server.access.Action;
import dev.slipway.server.http.Answer;
import dev.slipway.server.http.Call;
import dev.slipway.server.http.Fields;
import dev.slipway.server.http.Problem;
import dev.slipway.server.http.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;

/** The states of a resource's Terraform modules: which are kept, and back to one of them. */
public final class StateApi {
  private final Resources resources;
  private final ModuleHistory history;

  public StateApi(Resources resources, ModuleHistory history) {
    this.resources = resources;
    this.history = history;
  }

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
    out.put("standing", version.standing().name().toLowerCase(Locale.ROOT));
    out.put("runId", version.run());
    out.put("step", version.step());
    out.put("writtenAt", version.writtenAt());
    out.put("bytes", version.bytes());
    return out;
  }
}
