package dev.slipway.cli;

import dev.slipway.cli.CaseWatch.Place;
import dev.slipway.cli.cases.Observed;
import dev.slipway.cli.cases.TestCase.Subject;
import dev.slipway.engine.value.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One resource on the server of the tests, which one caller asks for as any client would. */
final class TestResource {
  private static final Set<String> UNDER_WAY =
      Set.of("requested", "provisioning", "updating", "deprovisioning");

  private final TestServer server;
  private final Api admin;
  private final Api caller;
  private final Place place;
  private final CaseWatch watch;
  private String id = "";

  /** When an operation on it is done. */
  enum Done {
    /** Its deployment is over: a look has found it healthy, or its gate has failed. */
    OBSERVED,
    /** Its run is over: what recorded answers made up cannot be looked at. */
    CARRIED_OUT
  }

  /** What becomes of the real thing when its resource is deleted. */
  enum Leftovers {
    BY_POLICY,
    ORPHAN
  }

  TestResource(TestServer server, Api caller, Place place, CaseWatch watch) {
    this.server = server;
    this.admin = server.api();
    this.caller = caller;
    this.place = place;
    this.watch = watch;
  }

  Place place() {
    return place;
  }

  /** Absent until the server has accepted it. */
  Optional<String> id() {
    return id.isEmpty() ? Optional.empty() : Optional.of(id);
  }

  /** Creates it, or updates it when it is there. */
  Observed deploy(Map<String, Object> params, Done done) throws InterruptedException, IOException {
    Api.Reply reply =
        caller.ask(
            "POST",
            "/api/applications",
            Api.query("environment", place.environment()),
            score(params));
    if (!reply.ok()) {
      return refused(reply);
    }
    String deployment = String.valueOf(reply.body().get("deploymentId"));
    switch (done) {
      case OBSERVED -> watch.deployed(deployment, place);
      case CARRIED_OUT -> {
        while (!watch.over(deployment, place) && underWay(ofApplication())) {
          watch.pause();
        }
      }
    }
    Map<String, Object> found = ofApplication();
    id = found.get("id") instanceof String known ? known : "";
    return observed(found, watch.newestRun(place));
  }

  /** As its application lists it; empty when it does not. */
  private Map<String, Object> ofApplication() throws InterruptedException {
    Map<String, Object> application =
        admin.get(
            Verb.path("applications", place.application()),
            Api.query("environment", place.environment()));
    return Api.items(application.get("resources")).stream()
        .filter(r -> place.subject().name().equals(r.get("name")))
        .findFirst()
        .orElse(Map.of());
  }

  private static boolean underWay(Map<String, Object> found) {
    return UNDER_WAY.contains(String.valueOf(found.get("state")));
  }

  private Map<String, Object> score(Map<String, Object> params) {
    Subject.Resource wanted = place.subject();
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("type", wanted.type());
    if (!wanted.resourceClass().isEmpty()) {
      one.put("class", wanted.resourceClass());
    }
    if (!wanted.annotations().isEmpty()) {
      one.put("metadata", Map.of("annotations", wanted.annotations()));
    }
    one.put("params", params);
    return Map.of(
        "apiVersion", "score.dev/v1b1",
        "metadata", Map.of("name", place.application()),
        "resources", Map.of(wanted.name(), one));
  }

  /** By the provider's read workflow. */
  Observed read() throws InterruptedException, IOException {
    return started("refresh");
  }

  /** Tries again what failed. */
  Observed retry() throws InterruptedException, IOException {
    return started("retry");
  }

  private Observed started(String verb) throws InterruptedException, IOException {
    Api.Reply reply = admin.ask("POST", Verb.path("resources", id, verb), Map.of(), Map.of());
    if (!reply.ok()) {
      return refused(reply);
    }
    return ended(String.valueOf(reply.body().get("runId")));
  }

  /** The state of the resource once this run has ended or waits for an approval. */
  Observed ended(String run) throws InterruptedException, IOException {
    Map<String, Object> over = watch.ended(run);
    Map<String, Object> found = found();
    while (!CaseWatch.waitsForApproval(over) && underWay(found)) {
      watch.pause();
      found = found();
    }
    return observed(found, over);
  }

  private Map<String, Object> found() throws InterruptedException {
    Api.Reply reply = admin.ask("GET", Verb.path("resources", id), Map.of(), null);
    return reply.ok() ? reply.body() : Map.of("state", "deleted");
  }

  /** Deletes the application that asks for it. */
  Observed delete(Leftovers leftovers) throws InterruptedException, IOException {
    Api.Reply reply =
        caller.ask(
            "DELETE",
            Verb.path("applications", place.application()),
            Api.query(
                "environment",
                place.environment(),
                "confirm",
                place.application(),
                "orphan",
                leftovers == Leftovers.ORPHAN ? true : null),
            null);
    if (!reply.ok()) {
      return refused(reply);
    }
    watch.deployed(String.valueOf(reply.body().get("deploymentId")), place);
    return observed(found(), watch.newestRun(place));
  }

  /** Its state, {@code deleted} when the server does not know it any more. */
  String state() throws InterruptedException {
    return String.valueOf(found().get("state"));
  }

  static Observed refused(Api.Reply reply) {
    List<Map<String, Object>> problems = new ArrayList<>(Api.items(reply.body().get("errors")));
    if (problems.isEmpty()) {
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
    if (!state.equals("deleted") && !id.isEmpty()) {
      outputs = admin.get(Verb.path("resources", id, "outputs"), Api.query("reveal", true));
      outputs = outputs.get("outputs") instanceof Map<?, ?> inner ? Values.map(inner) : outputs;
    }
    Map<String, Object> reported = new LinkedHashMap<>(run);
    if (run.isEmpty() && found.get("reason") != null) {
      reported.put("error", found.get("reason"));
    }
    return new Observed(state, reported, outputs, server.calls(), List.of());
  }
}
