package dev.slipway.web.branch;

import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.graph.EventNodes;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.postgres.environments.Occupant;
import dev.slipway.postgres.nodes.NodeSource;
import dev.slipway.postgres.overview.CountedRows;
import dev.slipway.postgres.reconcile.Reconciler;
import dev.slipway.postgres.retention.Sweep;
import dev.slipway.postgres.runs.RollbackRetries;
import dev.slipway.postgres.runs.RunsKept;
import dev.slipway.web.Route;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What all branches of a running server contribute. */
public final class OpenBranches implements Observer, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OpenBranches.class);

  private final List<OpenBranch> all = new ArrayList<>();

  OpenBranches() {}

  void add(OpenBranch branch) {
    all.add(branch);
  }

  public List<Route> routes() {
    return all.stream().flatMap(b -> b.routes().stream()).toList();
  }

  public List<Reconciler> reconcilers() {
    return all.stream().flatMap(b -> b.reconcilers().stream()).toList();
  }

  public List<StepExecutor> executors() {
    return all.stream().flatMap(b -> b.executors().stream()).toList();
  }

  public List<NodeSource> nodes() {
    return all.stream().flatMap(b -> b.nodes().stream()).toList();
  }

  public List<EventNodes> eventNodes() {
    return all.stream().flatMap(b -> b.eventNodes().stream()).toList();
  }

  public List<Occupant> occupants() {
    return all.stream().flatMap(b -> b.occupants().stream()).toList();
  }

  /** Nodes of kinds that no branch samples are left out. */
  @Override
  public void ask(Handle tx, Collection<NodeRef> nodes) {
    for (OpenBranch branch : all) {
      for (Sampler sampler : branch.samplers()) {
        Set<NodeRef> own =
            nodes.stream()
                .filter(node -> sampler.kinds().stream().anyMatch(node::is))
                .collect(Collectors.toUnmodifiableSet());
        if (!own.isEmpty()) {
          sampler.ask(tx, own);
        }
      }
    }
  }

  /** What carries these ids as its owner has changed outside. */
  public void changed(Handle tx, Set<UUID> owners) {
    for (OpenBranch branch : all) {
      branch.samplers().forEach(sampler -> sampler.changed(tx, owners));
    }
  }

  /** By the kind of root. */
  public Map<String, SubjectRetry> retries() {
    return byRoot(OpenBranch::retries);
  }

  /** By the kind of root. */
  public Map<String, RollbackRetries.InCharge> inCharge() {
    return byRoot(OpenBranch::inCharge);
  }

  private <T> Map<String, T> byRoot(Function<OpenBranch, Map<String, T>> contributed) {
    Map<String, T> found = new HashMap<>();
    all.forEach(branch -> found.putAll(contributed.apply(branch)));
    return found;
  }

  /** By the kind of root. */
  public Map<String, RunsKept> keptRuns() {
    return byRoot(OpenBranch::keptRuns);
  }

  public List<Sweep> sweeps() {
    return all.stream().flatMap(b -> b.sweeps().stream()).toList();
  }

  public List<Chore> chores() {
    return all.stream().flatMap(b -> b.chores().stream()).toList();
  }

  public List<CountedRows> countedRows() {
    return all.stream().flatMap(b -> b.countedRows().stream()).toList();
  }

  /** Summed up over the branches, by type of resource. */
  public Map<String, Long> pending() {
    Map<String, Long> pending = new HashMap<>();
    all.forEach(b -> b.pending().forEach((type, count) -> pending.merge(type, count, Long::sum)));
    return pending;
  }

  /** Notifies each branch that the registry of providers was replaced. */
  public void providersChanged() {
    all.forEach(OpenBranch::providersChanged);
  }

  /** Last opened, first closed; one that fails to close keeps no other one open. */
  @Override
  public void close() {
    for (OpenBranch branch : all.reversed()) {
      try {
        branch.close();
      } catch (RuntimeException e) {
        LOG.warn("while closing {}: {}", branch.getClass().getSimpleName(), e.toString());
      }
    }
  }
}
