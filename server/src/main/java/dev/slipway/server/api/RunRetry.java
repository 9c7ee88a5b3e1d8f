package dev.slipway.server.api;

import dev.slipway.engine.access.Caller;
import dev.slipway.postgres.overview.RunView;
import dev.slipway.web.branch.SubjectRetry;
import java.util.Optional;
import java.util.UUID;

/** Retries a run as a new run. */
public interface RunRetry {
  /** The first step to repeat (by default the first that failed), and the definition to use. */
  record RetryRequest(Optional<String> from, SubjectRetry.By definition) {}

  /** Creates a rollback run for what the last one could not undo; returns its id. */
  UUID rollback(Caller caller, RunView run);

  /** Returns the id of the new run. */
  UUID retry(Caller caller, RunView run, RetryRequest request);
}
