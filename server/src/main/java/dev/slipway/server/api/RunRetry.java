package dev.slipway.server.api;

import dev.slipway.engine.progress.Caller;
import dev.slipway.postgres.overview.RunView;
import java.util.Optional;
import java.util.UUID;

/** Tries a run again as a new one. */
@FunctionalInterface
public interface RunRetry {
  /** From which step on (else the first that failed), by which definition: stored or latest. */
  record Wish(Optional<String> from, String definition) {}

  /** The new run's id. */
  UUID retry(Caller caller, RunView run, Wish wish);
}
