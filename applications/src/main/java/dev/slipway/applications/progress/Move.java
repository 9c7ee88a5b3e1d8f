package dev.slipway.applications.progress;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.GateRecord;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.engine.lifecycle.Actor;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One thing to write down for an application, in the order in which they are given. */
public sealed interface Move {

  /** A resource changes its state. */
  record Transit(
      UUID resource,
      ResourceState from,
      ResourceState to,
      Actor actor,
      String why,
      @Nullable Reason reason)
      implements Move {}

  /** A deleted resource is asked for again: a new life with nothing of the old one. */
  record Revive(UUID resource) implements Move {}

  /**
   * A run begins. Secrets are sealed.
   *
   * @param params of the resource, resolved
   * @param hash over the params
   * @param parameters of the workflow, bound and checked
   */
  record Start(
      KnownResource resource,
      Operation operation,
      Resolution.Definition definition,
      Map<String, @Nullable Object> params,
      String hash,
      Map<String, @Nullable Object> parameters)
      implements Move {}

  /**
   * A look at a resource begins, because its gate waits for what it finds. Secrets are sealed.
   *
   * @param parameters of the read workflow, bound and checked
   */
  record Look(
      KnownResource resource,
      Resolution.Definition definition,
      Map<String, @Nullable Object> parameters)
      implements Move {}

  /** What the judgement about the gate of a resource has come to. */
  record Judged(UUID resource, GateRecord gate) implements Move {}

  /** A run that no replica has claimed yet is no longer needed. */
  record Drop(UUID resource, UUID run) implements Move {}

  /** A run has to be stopped before its resource can be deleted. */
  record Cancel(UUID resource, UUID run) implements Move {}

  /** The new configuration is in place: what only the old one needed may go. */
  record Forget(UUID resource) implements Move {}

  /** Something is wrong that leaves the state as it is; null: it is right again. */
  record Complain(UUID resource, @Nullable Reason reason) implements Move {}

  /** The workload with every placeholder in place. */
  record Bind(Map<String, @Nullable Object> workload, String hash) implements Move {}
}
