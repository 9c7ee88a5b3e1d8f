package dev.slipway.applications.explain;

import dev.slipway.engine.graph.NodeRef;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why something is not active, and what to do about it. {@code entries} is empty when all is well;
 * root causes come first.
 */
public record Explanation(
    NodeRef node,
    String application,
    String environment,
    String state,
    String summary,
    List<Entry> entries,
    List<String> commands) {

  /**
   * One thing that is not active.
   *
   * @param node the resource, or the application
   * @param subject a resource's name, or {@code deployment}, or {@code workload}
   * @param blockedBy what it waits for, in words
   * @param gate the gate that is not open: its own, or that of what it waits for; else null
   * @param nextRetry when something will happen by itself, or null
   * @param command the exact command to type next, or null when waiting is all there is to do
   */
  public record Entry(
      NodeRef node,
      String subject,
      @Nullable String identity,
      String state,
      @Nullable Instant since,
      String why,
      List<String> blockedBy,
      @Nullable ClosedGate gate,
      @Nullable Problem lastError,
      @Nullable Instant nextRetry,
      @Nullable String runId,
      @Nullable String command) {}

  /**
   * A gate that is not open.
   *
   * @param code stable, as in {@link dev.slipway.engine.health.GateReason.Code}
   * @param node whose health it waits for
   * @param health that was observed last; null: none
   * @param since when it began to wait, or null
   * @param deadline when it is judged again though no look has found anything, or null
   */
  public record ClosedGate(
      String code,
      String node,
      @Nullable String health,
      String detail,
      @Nullable Instant since,
      @Nullable Instant deadline) {}

  /** The last error: where it happened and what it says. */
  public record Problem(
      String code, String message, @Nullable String hint, @Nullable String step) {}
}
