package dev.slipway.applications.api;

import static dev.slipway.web.Route.delete;
import static dev.slipway.web.Route.get;
import static dev.slipway.web.Route.post;

import dev.slipway.applications.store.Applications.Accepted;
import dev.slipway.applications.store.Applications.Teardown;
import dev.slipway.applications.store.ResourceStore;
import dev.slipway.applications.store.Resources;
import dev.slipway.applications.store.Resources.NewResource;
import dev.slipway.applications.store.Resources.Reveal;
import dev.slipway.engine.access.Caller;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Callers;
import dev.slipway.web.Fields;
import dev.slipway.web.Lists;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Resources of applications. */
public record ResourceApi(ResourceStore resources) {
  public List<Route> routes() {
    return List.of(
        get("/api/resources")
            .needs(Action.READ)
            .named("listResources", "Resources by environment and identity")
            .query("application", new Route.OldSpelling("app"), "only those of this application")
            .query("environment", "only those of this environment")
            .query("type", "only those of this type")
            .query("state", "only those in this state; deleted ones only when asked for")
            .query("provider", "only those of this provider")
            .paged()
            .gives(200, "a piece of the list", "Resource[]")
            .by(this::list),
        post("/api/resources")
            .needs(Action.CHANGE)
            .named("createResource", "Add one resource to an application, or to a new one")
            .takes(Route.Content.JSON, "NewResource")
            .gives(201, "accepted; the work goes on", "Resource")
            .gives(202, "waits for an approval", "Accepted")
            .is(Route.Trait.IDEMPOTENT)
            .is(Route.Trait.STARTS_RUNS)
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
        get("/api/resources/{id}/health")
            .needs(Action.READ)
            .named("listHealth", "Changes of its health that looks have found, newest first")
            .paged()
            .gives(200, "a piece of the list", "HealthChange[]")
            .by(call -> Lists.piece(call, resources.health(Callers.of(call), id(call)))),
        post("/api/resources/{id}/retry")
            .needs(Action.CHANGE)
            .named("retryResource", "Try again what failed")
            .gives(202, "accepted", "Started")
            .is(Route.Trait.IDEMPOTENT)
            .is(Route.Trait.STARTS_RUNS)
            .by(call -> started(resources.retry(Callers.of(call), id(call)))),
        post("/api/resources/{id}/refresh")
            .needs(Action.CHANGE)
            .named(
                "refreshResource",
                "Run the provider's read workflow and compare; it changes nothing real")
            .gives(202, "accepted", "Started")
            .is(Route.Trait.IDEMPOTENT)
            .is(Route.Trait.STARTS_RUNS)
            .by(call -> started(Optional.of(resources.refresh(Callers.of(call), id(call))))));
  }

  private Answer list(Call call) {
    Resources.Filter filter =
        new Resources.Filter(
            call.query("application"),
            call.query("environment"),
            call.query("type"),
            call.query("state"),
            call.query("provider"));
    return Lists.page(resources.list(Callers.of(call), filter, Lists.ask(call)));
  }

  /** A resource always belongs to an application: an existing one, or a new one. */
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
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("type", fields.requiredText("type"));
    fields.text("class").ifPresent(value -> body.put("class", value));
    fields.text("id").ifPresent(value -> body.put("id", value));
    body.put("metadata", fields.object("metadata"));
    body.put("params", fields.object("params"));
    NewResource resource =
        new NewResource(
            fields.text("application").orElse(name),
            fields.text("environment").orElse("default"),
            fields.text("team"),
            name,
            body);
    return created(Callers.of(call), name, resources.create(Callers.of(call), resource));
  }

  private Answer created(Caller caller, String name, Accepted accepted) {
    return accepted.resources().stream()
        .filter(item -> item.name().equals(name))
        .map(Accepted.Item::id)
        .filter(id -> id != null && accepted.approvalId() == null)
        .findFirst()
        .map(id -> answer(201, resources.show(caller, id)).with("Location", "/api/resources/" + id))
        // In a protected environment the resource does not exist before its approval.
        .orElseGet(() -> Answer.of(202, accepted));
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
