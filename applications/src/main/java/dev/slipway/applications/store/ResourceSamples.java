package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.execute.RunWrite.Report.Effect;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.health.Sample;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.health.GateWaits;
import dev.slipway.postgres.health.NodeHealth;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Keeps what runs have seen of resources. */
final class ResourceSamples {
  /** Of a sample that the success of the run is, because nothing can look. */
  static final String RUN_SUCCEEDED = Sample.RUN_SUCCEEDED;

  static final String RUN_FAILED = "run-failed";

  private final ApplicationContext context;
  private final Handle tx;
  private final Optional<GateWaits.Key> deciding;

  ResourceSamples(ApplicationContext context, Handle tx) {
    this(context, tx, Optional.empty());
  }

  /** In the transaction of an application that decides afterwards and needs no signal. */
  ResourceSamples(ApplicationContext context, Handle tx, Optional<UUID> application) {
    this.context = context;
    this.tx = tx;
    this.deciding = application.map(id -> new GateWaits.Key(ApplicationKey.KIND, id.toString()));
  }

  /** Who a sample is about, for its event. */
  record About(
      UUID id,
      String name,
      String identity,
      String type,
      String environment,
      String team,
      String application) {
    NodeRef node() {
      return new ApplicationNodes(environment).resource(identity);
    }
  }

  /** A run that has ended, and where it took its resource. */
  record Worked(Reported on, Effect effect, ResourceState to) {
    boolean failed() {
      return switch (effect) {
        case FAILED, ROLLED_BACK -> to != ResourceState.DELETED;
        case STARTED, SUCCEEDED, DRIFTED, MISSING, NOT_OURS, NOT_SEEN, AS_LEFT -> false;
      };
    }

    About about() {
      return new About(
          on.resource(),
          on.name(),
          on.identity(),
          on.type(),
          on.environment(),
          on.team(),
          on.application());
    }
  }

  /**
   * What has been worked on is looked at next. A run that failed is the sample of its attempt; what
   * an earlier one applied is looked at all the same.
   */
  void worked(List<Worked> ended) throws SQLException {
    Map<About, Sample> failed = new LinkedHashMap<>();
    List<UUID> asked = new ArrayList<>();
    List<NodeRef> gone = new ArrayList<>();
    for (Worked worked : ended) {
      if (worked.to() == ResourceState.DELETED) {
        gone.add(worked.about().node());
      } else {
        asked.add(worked.on().resource());
      }
      if (worked.failed()) {
        failed.put(worked.about(), failure(worked));
      }
    }
    LookQueue.ask(tx, asked, context.now());
    NodeHealth.forget(tx, gone);
    write(failed);
  }

  private Sample failure(Worked worked) {
    Map<String, @Nullable Object> error = worked.on().error();
    return new Sample(
        worked.about().node(),
        Health.FAILED,
        context.now(),
        Optional.of(worked.on().run().toString()),
        worked.on().revision(),
        List.of(),
        error == null ? worked.on().end() : String.valueOf(error.get("message")),
        RUN_FAILED);
  }

  /** Writes samples, with an event for each change of health. */
  void write(Map<About, Sample> samples) throws SQLException {
    if (samples.isEmpty()) {
      return;
    }
    Map<NodeRef, About> abouts = new HashMap<>();
    samples.forEach((about, sample) -> abouts.put(sample.node(), about));
    List<NodeHealth.Change> changes = NodeHealth.write(tx, samples.values(), deciding);
    List<Event> events = new ArrayList<>();
    for (NodeHealth.Change change : changes) {
      About about = abouts.get(change.now().sample().node());
      if (about != null) {
        events.add(event(about, change));
      }
    }
    EventLog.append(tx, events);
  }

  private Event event(About about, NodeHealth.Change change) {
    Observation now = change.now();
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("resourceId", about.id().toString());
    data.put("resource", about.name());
    data.put("identity", about.identity());
    data.put("type", about.type());
    change.before().ifPresent(before -> data.put("from", before.text()));
    data.put("health", now.sample().health().text());
    data.put("since", now.since().toString());
    data.put("message", now.sample().message());
    return new Event(
        "resource.health",
        new ApplicationRefs(about.application(), about.environment()).application(),
        about.environment(),
        about.team(),
        "observer",
        context.now(),
        data);
  }
}
