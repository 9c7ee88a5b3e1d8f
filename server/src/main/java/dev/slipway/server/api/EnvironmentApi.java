package dev.slipway.server.api;

import static dev.slipway.web.Route.delete;
import static dev.slipway.web.Route.get;
import static dev.slipway.web.Route.patch;
import static dev.slipway.web.Route.post;

import dev.slipway.engine.graph.TrunkKinds;
import dev.slipway.engine.intake.DurationText;
import dev.slipway.postgres.environments.EnvironmentStore;
import dev.slipway.postgres.environments.Environments;
import dev.slipway.postgres.environments.Environments.Protection;
import dev.slipway.postgres.environments.Environments.Settings;
import dev.slipway.postgres.environments.Environments.View;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Callers;
import dev.slipway.web.Fields;
import dev.slipway.web.Lists;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Environments: the shared ones and those of the caller's teams. Developers create them for their
 * team, which changes, extends and deletes them; operators may do so with every environment.
 */
public record EnvironmentApi(EnvironmentStore environments) {
  private static final String[] FIELDS = {
    "name",
    "type",
    "ttl",
    "expiresAt",
    "cluster",
    "namespaceTemplate",
    "protected",
    "variables",
    "deletionPolicy"
  };

  public List<Route> routes() {
    return List.of(
        get("/api/environments")
            .needs(Action.READ)
            .named("listEnvironments", "Environments by name")
            .paged()
            .gives(200, "a piece of the list", "Environment[]")
            .by(this::list),
        post("/api/environments")
            .needs(Action.CHANGE)
            .named(
                "createEnvironment", "Make an environment for a team; shared, if an operator does")
            .query("team", "whose it is; needed by members of several teams")
            .takes(Route.Content.JSON, "NewEnvironment")
            .gives(201, "made", "Environment")
            .is(Route.Trait.IDEMPOTENT)
            .by(this::create),
        get("/api/environments/{name}")
            .needs(Action.READ)
            .named("showEnvironment", "One environment")
            .gives(200, "the environment", "Environment")
            .by(call -> answer(200, environments.show(Callers.of(call), call.path("name")))),
        patch("/api/environments/{name}")
            .needs(Action.CHANGE)
            .named("changeEnvironment", "Change an environment; a new ttl counts from now")
            .takes(Route.Content.JSON, "EnvironmentChange")
            .gives(200, "as it is now", "Environment")
            .is(Route.Trait.VERSIONED)
            .by(this::change),
        delete("/api/environments/{name}")
            .needs(Action.CHANGE)
            .named("deleteEnvironment", "Delete an environment")
            .query("cascade", Route.Parameter.Kind.FLAG, "tear its applications down first")
            .query("confirm", "its name; needed with cascade")
            .gives(202, "its applications are being torn down, then it goes", "EnvironmentGoing")
            .givesNothing(204, "gone")
            .is(Route.Trait.VERSIONED)
            .by(this::remove));
  }

  private Answer list(Call call) {
    List<Map<String, Object>> all =
        environments.list(Callers.of(call)).stream().map(EnvironmentApi::view).toList();
    return Lists.piece(call, all);
  }

  private Answer create(Call call) {
    Fields fields = call.json().only(FIELDS);
    View made =
        environments.create(
            Callers.of(call),
            fields.requiredText("name"),
            settings(call, fields),
            call.query("team"));
    return answer(201, made).with("Location", "/api/environments/" + made.name());
  }

  private Answer change(Call call) {
    String[] changeable = Arrays.copyOfRange(FIELDS, 1, FIELDS.length);
    Fields fields = call.json().only(changeable);
    return answer(
        200,
        environments.change(
            Callers.of(call), call.path("name"), settings(call, fields), call.ifVersion()));
  }

  private Answer remove(Call call) {
    Environments.Cascade cascade =
        call.flag("cascade") ? Environments.Cascade.TEAR_DOWN : Environments.Cascade.REFUSE;
    String name = call.path("name");
    return switch (environments.delete(
        Callers.of(call), name, cascade, call.query("confirm"), call.ifVersion())) {
      case DELETED -> Answer.nothing();
      case TEARING_DOWN -> Answer.of(202, Map.of("name", name, "status", "tearing-down"));
    };
  }

  /** Only administrators set where workloads run and what is protected. */
  private static void administered(Call call, Fields fields) {
    for (String field : List.of("protected", "cluster", "namespaceTemplate")) {
      if (fields.has(field) && !call.caller().maySomewhere(Action.ADMINISTER)) {
        throw Problem.forbidden("Only an administrator sets '" + field + "' of an environment.")
            .exception();
      }
    }
  }

  private static Settings settings(Call call, Fields fields) {
    administered(call, fields);
    return new Settings(
        fields.text("type"),
        fields.text("ttl").map(EnvironmentApi::duration),
        fields.text("expiresAt").map(EnvironmentApi::instant),
        fields.text("cluster"),
        fields.text("namespaceTemplate"),
        fields.flag("protected").map(on -> on ? Protection.PROTECTED : Protection.OPEN),
        fields.has("variables") ? Optional.of(fields.object("variables")) : Optional.empty(),
        fields.text("deletionPolicy"));
  }

  private static Duration duration(String text) {
    return DurationText.parse(text)
        .filter(Duration::isPositive)
        .orElseThrow(
            () -> Fields.wrongField("ttl", "'" + text + "' is no duration. " + DurationText.FORMS));
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw Fields.wrongField("expiresAt", "is a time such as 2030-01-31T18:00:00Z");
    }
  }

  private static Answer answer(int status, View view) {
    return Answer.of(status, view(view)).version(view.version());
  }

  private static Map<String, Object> view(View view) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", view.name());
    out.put("node", TrunkKinds.ENVIRONMENT.ref(view.name()));
    out.put("team", view.team());
    out.put("type", view.type());
    out.put("ttl", view.ttl() == null ? null : DurationText.print(view.ttl()));
    out.put("expiresAt", view.expiresAt());
    out.put("cluster", view.cluster());
    out.put("namespaceTemplate", view.namespaceTemplate());
    out.put("protected", view.protection() == Protection.PROTECTED);
    out.put("variables", view.variables());
    out.put("deletionPolicy", view.deletionPolicy());
    out.putAll(view.occupants());
    out.put("version", view.version());
    out.put("createdAt", view.createdAt());
    out.put("updatedAt", view.updatedAt());
    out.values().removeIf(Objects::isNull);
    return out;
  }
}
