package dev.slipway.engine.execute;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Where the logs of steps are kept, in chunks. */
public interface StepLogs {
  /** Stores chunks; those of an owner that has lost its run are dropped. */
  void append(List<Chunk> chunks);

  /** How many lines of output, without notes, are stored of one attempt. */
  default long stored(UUID run, String step, int attempt) {
    return 0;
  }

  /** What one step said in one go: lines of JSON, {@code {t, s, m}}. */
  record Chunk(UUID run, String step, int attempt, long epoch, int seq, Instant at, String lines) {}
}
