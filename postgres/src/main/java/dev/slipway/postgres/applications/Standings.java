package dev.slipway.postgres.applications;

import dev.slipway.engine.lifecycle.Event;
import dev.slipway.engine.lifecycle.ResourceState;
import dev.slipway.engine.progress.Decision;
import dev.slipway.engine.progress.Move;
import dev.slipway.engine.progress.Situation;
import dev.slipway.engine.progress.Situation.Deployment;
import dev.slipway.engine.value.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Writes where an application and its deployment stand now, and tells of it. */
final class Standings {
  private final Ground ground;
  private final Handle handle;

  Standings(Ground ground, Handle handle) {
    this.ground = ground;
    this.handle = handle;
  }

  List<Event> write(ApplicationRow application, Situation situation, Decision decision) {
    List<Event> events = new ArrayList<>();
    Instant now = ground.now();
    Deployment deployment = situation.deployment();
    if (deployment != null
        && decision.deployment() != null
        && deployment.status() != decision.deployment()) {
      deployment(deployment, decision, now);
      event(application, deployment, decision, events);
    }
    boolean gone = decision.state() == ResourceState.DELETED && application.deletedAt() == null;
    if (application.deletedAt() == null && (decision.state() != application.state() || gone)) {
      handle.execute(
          "UPDATE applications SET state = ?, updated_at = ?, version = version + 1,"
              + " deleted_at = ?, workload = CASE WHEN ? THEN NULL ELSE workload END,"
              + " workload_hash = CASE WHEN ? THEN NULL ELSE workload_hash END WHERE id = ?",
          decision.state().text(),
          now,
          gone ? now : null,
          gone,
          gone,
          application.id());
    }
    count(application, situation, decision);
    if (gone) {
      events.add(
          ground.event(
              "spec.deleted",
              application.name(),
              application.environment(),
              application.team(),
              Map.of("revision", (long) application.revision())));
    }
    return events;
  }

  /** Kept in the row for lists; no new version, since nothing that a caller sent has changed. */
  private void count(ApplicationRow application, Situation situation, Decision decision) {
    ApplicationRow.Counts counts = counts(situation, decision);
    if (!counts.equals(application.counts())) {
      handle.execute(
          "UPDATE applications SET resource_count = ?, active_count = ? WHERE id = ?",
          counts.resources(),
          counts.active(),
          application.id());
    }
  }

  /** As it is once the decision is carried out. */
  private static ApplicationRow.Counts counts(Situation situation, Decision decision) {
    Map<UUID, ResourceState> states = new HashMap<>();
    situation.resources().forEach(r -> states.put(r.id(), r.state()));
    for (Move move : decision.moves()) {
      if (move instanceof Move.Revive(UUID id)) {
        states.put(id, ResourceState.REQUESTED);
      } else if (move instanceof Move.Transit transit) {
        states.put(transit.resource(), transit.to());
      }
    }
    long active =
        situation.uses().values().stream()
            .filter(id -> states.get(id) == ResourceState.ACTIVE)
            .count();
    return new ApplicationRow.Counts(situation.uses().size(), (int) active);
  }

  private void deployment(Deployment deployment, Decision decision, Instant now) {
    boolean open = decision.deployment() == Deployment.Status.RUNNING;
    handle.execute(
        "UPDATE deployments SET status = ?, completed_at = ?, error = ?::json WHERE id = ?",
        text(decision),
        open ? null : now,
        decision.deployment() == Deployment.Status.FAILED ? Json.write(error(decision)) : null,
        deployment.id());
  }

  private void event(
      ApplicationRow application, Deployment deployment, Decision decision, List<Event> events) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("deploymentId", deployment.id().toString());
    data.put("revision", (long) application.revision());
    if (decision.deployment() == Deployment.Status.FAILED) {
      data.put("error", error(decision));
    }
    String type = decision.deployment() == Deployment.Status.RUNNING ? "started" : text(decision);
    events.add(
        ground.event(
            "deployment." + type,
            application.name(),
            application.environment(),
            application.team(),
            data));
  }

  private static String text(Decision decision) {
    return String.valueOf(decision.deployment()).toLowerCase(Locale.ROOT);
  }

  /** The first problem, and all of them. */
  private static Map<String, @Nullable Object> error(Decision decision) {
    Map<String, @Nullable Object> error = new LinkedHashMap<>();
    if (!decision.problems().isEmpty()) {
      Decision.Problem first = decision.problems().getFirst();
      error.put("code", first.reason().code());
      error.put("message", first.subject() + ": " + first.reason().message());
      error.put("hint", first.reason().hint());
    }
    List<Object> all = new ArrayList<>();
    for (Decision.Problem problem : decision.problems()) {
      Map<String, Object> tree = new LinkedHashMap<>();
      tree.put("subject", problem.subject());
      tree.putAll(problem.reason().tree());
      all.add(tree);
    }
    error.put("problems", all);
    return error;
  }
}
