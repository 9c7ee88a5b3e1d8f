package dev.slipway.engine.execute;

import dev.slipway.engine.execute.RunWrite.Rollback;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.workflow.StepOutcome;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Undoes what a failed run had done, as a run of its own: made in the write in which the failed run
 * begins to wait for it, with everything that it needs stored in its inputs. It has no time limit
 * but those of its steps, because an incomplete rollback leaves objects in an undefined state.
 */
final class RollbackRun {
  private final LiveRun live;
  private final StepEnds ends;
  private Optional<RunStore.Cancel> halted = Optional.empty();

  RollbackRun(LiveRun live, StepEnds ends) {
    this.live = live;
    this.ends = ends;
  }

  /** Whether it is waited for. */
  boolean awaited() {
    return live.rollback.filter(Rollback.RUNNING::equals).isPresent();
  }

  /** Begins when there is something to undo and nothing runs any more. */
  boolean begin() {
    live.progress().undoneBy(Map.of()).forEach(ends::rolledBack);
    List<NextSteps.Task> undo = live.progress().undoDue();
    if (undo.isEmpty()) {
      return false;
    }
    live.pending.make(run(undo.stream().map(NextSteps.Task::name).toList(), live.now()));
    live.rollback = Optional.of(Rollback.RUNNING);
    return true;
  }

  private NewRun run(List<String> order, Instant now) {
    ClaimedRun failed = live.run;
    UUID id = ChildId.of(failed.id() + "/rollback", now);
    Map<String, Object> context = new LinkedHashMap<>(failed.inputs().context());
    context.put("run", id.toString());
    RootRun.handOn(failed, context);
    return new NewRun(
        id,
        NewRun.Kind.ROLLBACK,
        live.definition.definition(),
        failed.operation(),
        failed.subject(),
        new NewRun.Tenancy(failed.environment(), failed.team()),
        NewRun.Origin.of(failed.id()),
        new NewRun.Inputs(
            failed.inputs().parameters(),
            context,
            failed.inputs().outputs(),
            new NewRun.Undoing(order, live.values.sealedVariables(), outcomes())),
        new NewRun.Creation(failed.createdBy(), now),
        null);
  }

  private Map<String, StepOutcome> outcomes() {
    Map<String, StepOutcome> known = new LinkedHashMap<>();
    for (StepRecord record : live.pending.records()) {
      if (record.state().finished()) {
        known.put(
            record.name(),
            new StepOutcome(
                record.state(), record.outputs() == null ? Map.of() : record.outputs()));
      }
    }
    return known;
  }

  /** Takes in the end of the rollback: marks the undone steps, so that the run can end. */
  void look(Collection<LinkedRun> made) {
    Optional<LinkedRun> ended =
        made.stream().filter(r -> r.kind() == NewRun.Kind.ROLLBACK).findFirst();
    if (ended.filter(r -> r.state().finished()).isEmpty()) {
      return;
    }
    live.progress().undoneBy(ended.get().steps()).forEach(ends::rolledBack);
    boolean all = ended.get().state() == RunState.SUCCEEDED;
    live.rollback = Optional.of(all ? Rollback.COMPLETE : Rollback.INCOMPLETE);
  }

  /** A run that is stopped by force stops its undoing too; asked kindly, it undoes to the end. */
  void heed(Collection<LinkedRun> made) {
    if (!awaited() || live.cancel.isEmpty() || live.cancel.equals(halted)) {
      return;
    }
    halted = live.cancel;
    if (live.cancel.get() == RunStore.Cancel.FORCED) {
      made.stream()
          .filter(r -> r.kind() == NewRun.Kind.ROLLBACK)
          .forEach(r -> live.pending.halt(r.id(), RunStore.Cancel.FORCED));
    }
  }
}
