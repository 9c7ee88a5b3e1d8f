package dev.slipway.applications.store;

import dev.slipway.engine.access.Caller;
import dev.slipway.engine.graph.Graph;
import java.util.List;
import java.util.Optional;

/** Graphs, read from the same rows that hold the state. */
public interface Graphs {

  /** The longest chain of resources by measured time. */
  record CriticalPath(List<Graph.Node> nodes, long durationMs) {}

  /** All of an application. */
  Graph of(Caller caller, Applications.Ref application);

  /** As it was at a revision. */
  Graph history(Caller caller, Applications.Ref application, int revision);

  /** From a node to what it leads to: spec, resource, provider, that resource's runs. */
  Graph chain(Caller caller, Applications.Ref application, String from);

  /** What a node depends on, directly and indirectly; empty: every resource of the application. */
  Graph dependencies(Caller caller, Applications.Ref application, Optional<String> node);

  /** What depends on a node. */
  Graph dependents(Caller caller, Applications.Ref application, Optional<String> node);

  /** By measured durations. */
  CriticalPath criticalPath(Caller caller, Applications.Ref application);

  /** Everything that a provider provides, in all applications that the caller sees. */
  Graph ofProvider(Caller caller, String provider);
}
