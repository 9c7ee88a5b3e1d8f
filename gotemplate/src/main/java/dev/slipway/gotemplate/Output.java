package dev.slipway.gotemplate;

import org.jspecify.annotations.Nullable;

/** Collects the text that an execution writes, up to {@link Limits#output} characters. */
public final class Output {
  private final StringBuilder text = new StringBuilder(256);
  private final Execution execution;
  private final long limit;

  Output(Execution execution) {
    this.execution = execution;
    this.limit = execution.limits().output();
  }

  /** Writes text as it is. */
  public void append(String piece) {
    if (text.length() + (long) piece.length() > limit) {
      throw execution.outputLimit();
    }
    text.append(piece);
  }

  /** Writes a value as Go's templates print it; nil is {@code <no value>}. */
  public void print(@Nullable Object value) {
    append(value == null ? "<no value>" : execution.print(value));
  }

  @Override
  public String toString() {
    return Text.rejoin(text.toString());
  }
}
