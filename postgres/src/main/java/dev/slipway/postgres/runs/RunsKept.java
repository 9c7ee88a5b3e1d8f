package dev.slipway.postgres.runs;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Says which ended runs a branch still needs, such as the last one of an object that exists. */
public interface RunsKept {
  /** Those of the runs that have to stay. */
  Set<UUID> among(Handle tx, List<UUID> runs);
}
