package dev.slipway.applications.plan;

import dev.slipway.engine.lifecycle.State;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far the gate of an attempt is, as the last decision about its resource left it.
 *
 * @param since when the gate began to wait; null while it was not judged
 * @param look when the last look that it asked for began; null: it has asked for none
 */
public record GateRecord(Stage stage, @Nullable Instant since, @Nullable Instant look) {
  /** Of a run that has just been made. */
  public static final GateRecord CLOSED = new GateRecord(Stage.CLOSED, null, null);

  /** What the last judgement was. */
  public enum Stage implements State {
    /** There was none yet. */
    CLOSED,
    /** It waits for a look that finds the resource Healthy. */
    WAITING,
    /** It has opened once, which counts for the whole attempt: later health closes it no more. */
    OPEN,
    /** It gave up waiting; a later look that finds the resource Healthy opens it. */
    FAILED
  }

  /** The same after a judgement at that time. */
  public GateRecord at(Stage next, Instant now) {
    return new GateRecord(next, since == null ? now : since, look);
  }

  /** The same after it has asked for a look. */
  public GateRecord asked(Instant now) {
    return new GateRecord(stage, since, now);
  }
}
