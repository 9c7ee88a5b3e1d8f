package dev.slipway.web.branch;

import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.graph.EventNodes;
import dev.slipway.postgres.environments.Occupant;
import dev.slipway.postgres.nodes.NodeSource;
import dev.slipway.postgres.overview.CountedRows;
import dev.slipway.postgres.reconcile.Reconciler;
import dev.slipway.postgres.retention.Sweep;
import dev.slipway.postgres.runs.RollbackRetries;
import dev.slipway.postgres.runs.RunsKept;
import dev.slipway.web.Route;
import java.util.List;
import java.util.Map;

/**
 * What an opened branch contributes. A branch overrides what it has; the server asks for each of
 * these once, before it listens, unless it says otherwise.
 */
public interface OpenBranch extends AutoCloseable {
  /** Routes under {@code /api}; each declares its permission. */
  default List<Route> routes() {
    return List.of();
  }

  /** One for each kind of key that the reconcile loop shall take turns of. */
  default List<Reconciler> reconcilers() {
    return List.of();
  }

  /** One for each step type of the descriptor. */
  default List<StepExecutor> executors() {
    return List.of();
  }

  /** Readers of the nodes whose kinds the branch owns. */
  default List<NodeSource> nodes() {
    return List.of();
  }

  /** Which nodes the events are about that it writes, or whose runs are its own. */
  default List<EventNodes> eventNodes() {
    return List.of();
  }

  /** What lives in environments because of it. */
  default List<Occupant> occupants() {
    return List.of();
  }

  /** How a run is tried again that works on an object below that kind of root, by its prefix. */
  default Map<String, SubjectRetry> retries() {
    return Map.of();
  }

  /** Which failed run is the last one of its object, by the prefix of the kind of root. */
  default Map<String, RollbackRetries.InCharge> inCharge() {
    return Map.of();
  }

  /** Which ended runs retention keeps, by the prefix of the kind of root. */
  default Map<String, RunsKept> keptRuns() {
    return Map.of();
  }

  /** What is removed of its tables when it is older than it is kept. */
  default List<Sweep> sweeps() {
    return List.of();
  }

  /** Other upkeep of its tables. */
  default List<Chore> chores() {
    return List.of();
  }

  /** Rows of its tables that statistics count by state. */
  default List<CountedRows> countedRows() {
    return List.of();
  }

  /**
   * How many of its objects are not as asked for yet, by type of resource; read with the metrics.
   */
  default Map<String, Long> pending() {
    return Map.of();
  }

  /** The registry has other providers than before: what waited for one may go on. */
  default void providersChanged() {}

  /** Ends threads and connections of the branch's own; keys and runs stay in the database. */
  @Override
  default void close() {}
}
