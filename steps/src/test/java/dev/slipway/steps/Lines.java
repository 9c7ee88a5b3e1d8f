package dev.slipway.steps;

import dev.slipway.engine.execute.StepLog;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A log that keeps its lines. */
public final class Lines implements StepLog {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final long stored;

  public Lines() {
    this(0);
  }

  /** After that many lines of output were stored. */
  public Lines(long stored) {
    this.stored = stored;
  }

  @Override
  public long stored() {
    return stored;
  }

  @Override
  public void line(Stream stream, String text) {
    if (lines.size() < 10_000) {
      lines.add(stream + " " + text);
    }
  }

  public List<String> all() {
    return lines;
  }
}
