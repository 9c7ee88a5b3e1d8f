package dev.slipway.engine.execute;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.resolve.Grants;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.workflow.Step;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One call of an executor. {@code config} is rendered: plain values, or {@link
 * dev.slipway.engine.workflow.RenderedScript} and {@link dev.slipway.engine.workflow.RenderedSql}
 * where the step type says so. {@code memory} is what the executor stored when it parked. {@code
 * epoch} grows with each claim of the run: a call with a smaller one comes from a former owner.
 * {@code lease} is checked right before each effect.
 */
public record StepCall(
    UUID run,
    Step step,
    int attempt,
    long epoch,
    String key,
    Origin origin,
    Map<String, Object> config,
    Map<String, String> env,
    Map<String, Object> memory,
    Scope scope,
    Instant deadline,
    RunLease lease,
    Secrets secrets,
    StepLog log) {

  /** Why it is called. */
  public enum Origin {
    /** For the first time with this key. */
    FRESH,
    /** After a crash: the effect may have happened. */
    RECOVERED,
    /** After it parked. */
    RESUMED
  }

  /** The same with another config. */
  public StepCall with(Map<String, Object> other) {
    return new StepCall(
        run, step, attempt, epoch, key, origin, other, env, memory, scope, deadline, lease, secrets,
        log);
  }

  /** Whose work it is, and what it may touch. */
  public record Scope(
      @Nullable NodeRef root,
      String environment,
      String team,
      @Nullable UUID resource,
      @Nullable String resourceName,
      @Nullable String resourceType,
      String provider,
      @Nullable String operation,
      String workflow,
      String requestedBy,
      @Nullable String providerDirectory,
      Grants grants) {}
}
