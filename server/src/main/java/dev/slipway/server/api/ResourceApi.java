package dev.slipway.server.api;

import static dev.slipway.server.http.Route.delete;
import static dev.slipway.server.http.Route.get;
import static dev.slipway.server.http.Route.post;

import dev.slipway.engine.progress.Caller;
import dev.slipway.engine.value.Json;
import dev.slipway.postgres.applications.Applications;
import dev.slipway.postgres.applications.Applications.DeployRequest;
import dev.slipway.postgres.applications.Applications.Teardown;
import dev.slipway.postgres.applications.Resources;
import dev.slipway.postgres.applications.Resources.Reveal;
import dev.slipway.server.access.Action;
import dev.slipway.server.http.Answer;
import dev.slipway.server.http.Call;
import dev.slipway.server.http.Fields;
import dev.slipway.server.http.Route;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Resources: what applications are made of. */
public final class ResourceApi {
  private final Resources resources;
  private final Applications applications;

  public ResourceApi(Resources resources, Applications applications) {
    this.resources = resources;
    this.applications = applications;
  }

  public List<Route> routes() {
    return List.of(
        get("/api/resources")
            .needs(Action.READ)
            .named("listResources", "Resources by environment and identity")
            .query("app", "only those of this application")
            .query("environment", "only those of this environment")
            .query("type", "only those of this type")
            .query("state", "only those in this state; deleted ones only when asked for")
            .query("provider", "only those of this provider")
            .paged()
            .gives(200, "a piece of the list", "Resource[]")
            .by(this::list),
        post("/api/resources")
            .needs(Action.CHANGE)
            .named("createResource", "Ask for one resource, as an application of its own")
            .takes(Route.Content.JSON, "NewResource")
            .gives(201, "accepted", "Accepted")
            .gives(200, "accepted as an update", "Accepted")
            .is(Route.Trait.IDEMPOTENT)
            .by(this::create),
        get("/api/resources/{id}")
            .needs(Action.READ)
            .named("showResource", "One resource")
            .gives(200, "the resource", "Resource")
            .by(call -> answer(200, resources.show(Callers.of(call), id(call)))),
        delete("/api/resources/{id}")
            .needs(Action.CHANGE)
            .named("deleteResource", "Deprovision one resource")
            .query("confirm", "its name")
            .query("orphan", Route.Parameter.Kind.FLAG, "leave the real object alone")
            .gives(202, "accepted; the work goes on", "Resource")
            .is(Route.Trait.VERSIONED)
            .by(this::remove),
        get("/api/resources/{id}/outputs")
            .needs(Action.READ)
            .named("showOutputs", "What its provider made known")
            .query("reveal", Route.Parameter.Kind.FLAG, "show secrets; needs the right, audited")
            .gives(200, "outputs by name", "Object")
            .by(this::outputs),
        get("/api/resources/{id}/transitions")
            .needs(Action.READ)
            .named("listTransitions", "Its history, oldest first")
            .paged()
            .gives(200, "a piece of the list", "Transition[]")
            .by(call -> Lists.piece(call, resources.transitions(Callers.of(call), id(call)))),
        post("/api/resources/{id}/retry")
            .needs(Action.CHANGE)
            .named("retryResource", "Try again what failed")
            .gives(202, "accepted", "Started")
            .is(Route.Trait.IDEMPOTENT)
            .by(call -> started(resources.retry(Callers.of(call), id(call)))),
        post("/api/resources/{id}/refresh")
            .needs(Action.CHANGE)
            .named("refreshResource", "Run the provider's read workflow, which changes nothing")
            .gives(202, "accepted", "Started")
            .is(Route.Trait.IDEMPOTENT)
            .by(call -> started(Optional.of(resources.refresh(Callers.of(call), id(call))))));
  }

  private Answer list(Call call) {
    Resources.Filter filter =
        new Resources.Filter(
            call.query("app"),
            call.query("environment"),
            call.query("type"),
            call.query("state"),
            call.query("provider"));
    return Lists.page(resources.list(Callers.of(call), filter, Lists.ask(call)));
  }

  /** A resource always belongs to an application: this one has nothing else in it. */
  private Answer create(Call call) {
    Fields fields =
        call.json()
            .only(
                "name",
                "type",
                "class",
                "id",
                "params",
                "metadata",
                "application",
                "environment",
                "team");
    String name = fields.requiredText("name");
    Map<String, Object> resource = new LinkedHashMap<>();
    resource.put("type", fields.requiredText("type"));
    fields.text("class").ifPresent(value -> resource.put("class", value));
    fields.text("id").ifPresent(value -> resource.put("id", value));
    resource.put("metadata", fields.object("metadata"));
    resource.put("params", fields.object("params"));
    Map<String, Object> score = new LinkedHashMap<>();
    score.put("apiVersion", "score.dev/v1b1");
    score.put("metadata", Map.of("name", fields.text("application").orElse(name)));
    score.put("resources", Map.of(name, resource));
    DeployRequest request =
        new DeployRequest(
            Json.write(score).getBytes(StandardCharsets.UTF_8),
            "resource.json",
            fields.text("environment"),
            fields.text("team"),
            Map.of(),
            Optional.empty(),
            DeployRequest.Mode.APPLY,
            Set.of(),
            Set.of(),
            // Never replaces an application that is there: that would remove its other resources.
            Optional.of(0L));
    Applications.Accepted accepted = applications.deploy(Callers.of(call), request);
    boolean made = accepted.outcome() == Applications.Accepted.Outcome.CREATED;
    return Answer.of(made ? 201 : 200, accepted);
  }

  private Answer outputs(Call call) {
    if (!call.flag("reveal")) {
      return Answer.ok(resources.outputs(Callers.of(call), id(call), Reveal.MASKED));
    }
    Caller caller = Callers.of(call);
    Resources.View view = resources.show(caller, id(call));
    if (!call.caller().may(Action.REVEAL, view.team())) {
      call.audit();
    }
    call.touch(Action.REVEAL, "resource", view.name(), view.team());
    return Answer.ok(resources.outputs(caller, view.id(), Reveal.CLEAR));
  }

  private Answer remove(Call call) {
    Teardown teardown =
        new Teardown(
            call.query("confirm"),
            call.flag("orphan") ? Teardown.Leftovers.ORPHAN : Teardown.Leftovers.BY_POLICY,
            call.ifVersion());
    return answer(202, resources.delete(Callers.of(call), id(call), teardown));
  }

  private static UUID id(Call call) {
    return call.id("id", "resource");
  }

  private static Answer answer(int status, Resources.View view) {
    return Answer.of(status, view).version(view.version());
  }

  private static Answer started(Optional<UUID> run) {
    Map<String, Object> out = new LinkedHashMap<>();
    run.ifPresent(id -> out.put("runId", id));
    out.put("status", run.isPresent() ? "started" : "waiting");
    return Answer.of(202, out);
  }
}
