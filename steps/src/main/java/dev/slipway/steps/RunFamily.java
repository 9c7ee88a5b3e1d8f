package dev.slipway.steps;

import java.util.UUID;

/** Decides which runs belong together and may therefore use each other's files. */
public interface RunFamily {
  /** Whether both descend from one run by retry, rollback or call. */
  boolean related(UUID run, UUID other);
}
