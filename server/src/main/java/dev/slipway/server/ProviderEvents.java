package dev.slipway.server;

import dev.slipway.engine.graph.Event;
import dev.slipway.engine.resolve.CapabilityConflict;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.resolve.ProviderProblem;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.postgres.events.EventLog;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Appends events about changed providers after a load; every team may see them. */
record ProviderEvents(EventLog log, InstantSource clock) {
  private static final Logger LOG = LoggerFactory.getLogger(ProviderEvents.class);

  void append(Registry before, Registry now) {
    List<Event> events = new ArrayList<>();
    Instant at = clock.instant();
    for (Provider provider : now.providers()) {
      boolean known =
          before.provider(provider.name()).map(p -> p.hash().equals(provider.hash())).orElse(false);
      if (!known) {
        events.add(
            event(
                "provider.loaded",
                Map.of("provider", provider.name(), "version", provider.manifest().version()),
                at));
      }
    }
    for (ProviderProblem problem : now.problems()) {
      if (problem.kind() != ProviderProblem.Kind.FETCHING && !before.problems().contains(problem)) {
        events.add(
            event(
                "provider.failed",
                Map.of(
                    "provider",
                    problem.provider(),
                    "errors",
                    problem.diagnostics().stream().map(d -> (Object) d.text()).toList()),
                at));
      }
    }
    for (CapabilityConflict conflict : now.conflicts()) {
      if (!before.conflicts().contains(conflict)) {
        events.add(
            event(
                "provider.conflict",
                Map.of(
                    "type",
                    conflict.type(),
                    "providers",
                    conflict.claimants().stream().map(c -> (Object) c.provider()).toList(),
                    "message",
                    conflict.message()),
                at));
      }
    }
    try {
      log.append(events);
    } catch (RuntimeException e) {
      LOG.warn("events of providers could not be stored: {}", e.getMessage());
    }
  }

  private static Event event(String type, Map<String, Object> data, Instant at) {
    return new Event(type, null, null, null, "registry", at, data);
  }
}
