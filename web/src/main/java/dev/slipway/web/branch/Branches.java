package dev.slipway.web.branch;

import dev.slipway.engine.grammar.Form;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.postgres.Scripts;
import dev.slipway.postgres.SealedColumns;
import dev.slipway.web.kind.Kind;
import java.net.URL;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The branches of a server, in the order in which they are migrated and opened. */
public record Branches(List<Branch> all) {

  /** Two branches of the same name are a programming error. */
  public Branches {
    all = List.copyOf(all);
    Set<String> names = new HashSet<>();
    for (Branch branch : all) {
      if (!names.add(branch.descriptor().name())) {
        throw new IllegalArgumentException("two branches are named " + branch.descriptor().name());
      }
    }
  }

  private List<Descriptor> descriptors() {
    return all.stream().map(Branch::descriptor).toList();
  }

  public List<Kind> kinds() {
    return descriptors().stream().flatMap(d -> d.kinds().stream()).toList();
  }

  public List<StepType> stepTypes() {
    return descriptors().stream().flatMap(d -> d.stepTypes().stream()).toList();
  }

  /** Sections of {@code admin-config.yaml}. */
  public List<Form> configuration() {
    return descriptors().stream().flatMap(d -> d.configuration().stream()).toList();
  }

  public List<Scripts> migrations() {
    return descriptors().stream().flatMap(d -> d.migrations().stream()).toList();
  }

  public List<SealedColumns> sealedColumns() {
    return descriptors().stream().flatMap(d -> d.sealedColumns().stream()).toList();
  }

  /** Fragments of the contract. */
  public List<URL> schemas() {
    return descriptors().stream().flatMap(d -> d.schemas().stream()).toList();
  }

  /**
   * Opens all of them, each with a trunk that asks all of them for samples; when one cannot be
   * opened, closes those that are.
   */
  public OpenBranches open(Function<Observer, Trunk> trunk) {
    OpenBranches open = new OpenBranches();
    Trunk observed = trunk.apply(open);
    try {
      all.forEach(branch -> open.add(branch.open(observed)));
      return open;
    } catch (RuntimeException e) {
      open.close();
      throw e;
    }
  }
}
