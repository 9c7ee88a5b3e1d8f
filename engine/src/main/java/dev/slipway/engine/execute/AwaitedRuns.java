package dev.slipway.engine.execute;

import dev.slipway.engine.execute.StepLaunch.Stop;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The runs that a run has made and waits for: those that its steps call, and its rollback. */
record AwaitedRuns(LiveRun live, ChildRuns children, RollbackRun rollback) {
  private static final Logger LOG = LoggerFactory.getLogger(AwaitedRuns.class);

  /** Takes in the runs that have ended; cancels the rest when this run is to be cancelled. */
  void look() {
    if (children.awaiting().isEmpty() && !rollback.awaited()) {
      return;
    }
    Map<UUID, LinkedRun> made = new LinkedHashMap<>();
    live.context.store().madeBy(live.run.id()).forEach(run -> made.put(run.id(), run));
    children.look(made);
    rollback.look(made.values());
    if (live.cancel.isPresent()) {
      children.awaiting().stream()
          .filter(record -> !live.progress().mayRepeat(live.task(record.name())))
          .forEach(record -> children.stop(record, Stop.CANCEL));
      rollback.heed(made.values());
    }
  }

  /** False when the database is away: the signal stays unheard until the next heartbeat. */
  boolean lookedAt() {
    try {
      look();
      return true;
    } catch (RuntimeException e) {
      LOG.warn(
          "run {} could not read the runs that it waits for: {}", live.run.id(), e.getMessage());
      return false;
    }
  }
}
