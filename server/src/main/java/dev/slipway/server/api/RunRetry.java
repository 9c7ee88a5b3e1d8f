package dev.slipway.server.api;

import dev.slipway.engine.progress.Caller;
import dev.slipway.postgres.overview.RunView;
import java.util.Optional;
import java.util.UUID;

/** Tries a run again as a new one. */
public interface RunRetry {
  /** From which step on (else the first that failed), by which definition: stored or latest. */
  record Wish(Optional<String> from, String definition) {}

  /** A new rollback run, for what the last one could not undo; its id. */
  UUID rollback(Caller caller, RunView run);

  /** The new run's id. */
  UUID retry(Caller caller, RunView run, Wish wish);
}
