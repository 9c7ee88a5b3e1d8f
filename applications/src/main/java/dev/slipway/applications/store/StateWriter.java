package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.progress.Decision;
import dev.slipway.applications.progress.Move;
import dev.slipway.applications.progress.Situation;
import dev.slipway.applications.progress.Situation.Deployment;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.value.Json;
import dev.slipway.postgres.environments.EnvironmentReconciler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Writes the states of an application and its deployment, and their events. */
record StateWriter(ApplicationContext context, Handle handle) {
  /** After a decision about everything. */
  List<Event> write(ApplicationRow application, Situation situation, Decision decision) {
    Reach reach = decision.more() ? Reach.EVERYTHING : alone(situation);
    return write(application, situation, decision, counts(situation, decision), reach);
  }

  /** After a decision about a few resources; so many more than before are active now. */
  List<Event> write(
      ApplicationRow application, Situation situation, Decision decision, int activated) {
    ApplicationRow.Counts before =
        Objects.requireNonNull(application.counts(), "a look at everything has counted them");
    ApplicationRow.Counts counts =
        new ApplicationRow.Counts(before.resources(), before.active() + activated);
    return write(application, situation, decision, counts, Reach.NEIGHBOURS);
  }

  /** What the next turn has to look at. */
  private enum Reach {
    NEIGHBOURS,
    EVERYTHING
  }

  /**
   * An application that uses resources of other applications is computed as a whole each time:
   * those resources change without a turn of this application.
   */
  private static Reach alone(Situation situation) {
    Set<UUID> own = new HashSet<>();
    for (KnownResource resource : situation.resources()) {
      if (resource.owner().equals(situation.application())) {
        own.add(resource.id());
      }
    }
    boolean alone =
        own.containsAll(situation.uses().values())
            && situation.resources().stream()
                .filter(r -> own.contains(r.id()))
                .flatMap(r -> r.dependencies().stream())
                .allMatch(d -> own.contains(d.on()));
    return alone ? Reach.NEIGHBOURS : Reach.EVERYTHING;
  }

  private List<Event> write(
      ApplicationRow application,
      Situation situation,
      Decision decision,
      ApplicationRow.Counts counts,
      Reach reach) {
    List<Event> events = new ArrayList<>();
    Instant now = context.now();
    Deployment deployment = situation.deployment();
    if (deployment != null
        && decision.deployment() != null
        && deployment.status() != decision.deployment()) {
      deployment(deployment, decision, now);
      event(application, deployment, decision, events);
    }
    boolean gone = decision.state() == ResourceState.DELETED && application.deletedAt() == null;
    boolean changes =
        application.deletedAt() == null && (decision.state() != application.state() || gone);
    if (changes) {
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
    long version = changes ? application.version() + 1 : application.version();
    keep(application, counts, reach == Reach.NEIGHBOURS ? version : null);
    if (gone) {
      EnvironmentReconciler.left(handle, application.environment(), now);
      events.add(
          context.event(
              "spec.deleted",
              application.name(),
              application.environment(),
              application.team(),
              Map.of("revision", (long) application.revision())));
    }
    return events;
  }

  /** Kept in the row for lists; no new version, since nothing that a caller sent has changed. */
  private void keep(
      ApplicationRow application, ApplicationRow.Counts counts, @Nullable Long decided) {
    if (!counts.equals(application.counts())
        || !Objects.equals(decided, application.decidedVersion())) {
      handle
          .createUpdate(
              "UPDATE applications SET resource_count = :resources, active_count = :active,"
                  + " decided_version = :decided WHERE id = :id")
          .bind("resources", counts.resources())
          .bind("active", counts.active())
          .bind("decided", decided)
          .bind("id", application.id())
          .execute();
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
        decision.deployment() == Deployment.Status.FAILED
            ? Json.write(DeploymentError.of(decision))
            : null,
        deployment.id());
  }

  private void event(
      ApplicationRow application, Deployment deployment, Decision decision, List<Event> events) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("deploymentId", deployment.id().toString());
    data.put("revision", (long) application.revision());
    if (decision.deployment() == Deployment.Status.FAILED) {
      data.put("error", DeploymentError.of(decision));
    }
    events.add(
        context.event(
            type(Objects.requireNonNull(decision.deployment(), "it differs from the stored one")),
            application.name(),
            application.environment(),
            application.team(),
            data));
  }

  private static String type(Deployment.Status status) {
    return switch (status) {
      case RUNNING -> "deployment.started";
      case COMPLETED -> "deployment.completed";
      case FAILED -> "deployment.failed";
    };
  }

  private static String text(Decision decision) {
    return String.valueOf(decision.deployment()).toLowerCase(Locale.ROOT);
  }
}
