package dev.slipway.postgres.model;

import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunWrite;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** Defects made on purpose, each of which the rules have to notice. */
enum Broken {
  NOT("nothing"),
  NO_FENCING("is written to by a former owner"),
  DOUBLE_CLAIM("holds it"),
  LOST_WAKE_UP("nothing will wake it"),
  LOST_TIMER("nothing will wake it"),
  ACTS_BEFORE_IT_WRITES("acts before it is written"),
  ROLLBACK_OUT_OF_ORDER("has ended: "),
  LEASES_OF_NOBODY("never ends"),
  FORGETS_LOST_CLAIMS("never ends"),
  LEASES_END_EARLY("which has lost the run"),
  STEPS_GO_ON("which has lost the run"),
  WORKERS_STAY("all is over, and");

  /** What the rules say about it. */
  final String noticed;

  Broken(String noticed) {
    this.noticed = noticed;
  }

  /** A store with the defect, if it is one of the store. */
  MemoryRuns store(Consumer<String> notify, MemoryRuns.Audit audit) {
    return new MemoryRuns(notify, audit) {
      @Override
      boolean current(Row row, RunWrite write) {
        return Broken.this == NO_FENCING || super.current(row, write);
      }

      @Override
      boolean free(Row row, Owner owner, Instant now) {
        boolean taken = Broken.this == DOUBLE_CLAIM && row.owner != null;
        return super.free(row, owner, now) || taken && !owner.text().equals(row.owner);
      }

      @Override
      public List<ClaimedRun> claim(
          Owner owner, int max, Instant now, Duration lease, Bounds bounds) {
        Duration given = Broken.this == LEASES_END_EARLY ? lease.dividedBy(8) : lease;
        return super.claim(owner, max, now, given, bounds);
      }

      @Override
      void wake(UUID parent, Row ended, Instant at) {
        if (Broken.this != LOST_WAKE_UP) {
          super.wake(parent, ended, at);
        }
      }

      @Override
      public int disown(Owner owner, Set<UUID> held, Instant now) {
        return Broken.this == FORGETS_LOST_CLAIMS ? 0 : super.disown(owner, held, now);
      }

      @Override
      public Set<UUID> abandon(Owner owner, Map<UUID, Long> epochs, Instant claimableAt) {
        if (Broken.this != LEASES_OF_NOBODY) {
          return super.abandon(owner, epochs, claimableAt);
        }
        epochs.forEach((id, epoch) -> rows.get(id).claimableAt = null);
        return Set.of();
      }
    };
  }

  /** The write as a worker with the defect would have made it. */
  RunWrite changed(RunWrite write) {
    return switch (this) {
      case ROLLBACK_OUT_OF_ORDER ->
          with(write, write.others().made().stream().map(Broken::reversed).toList());
      case LOST_TIMER -> withoutTimer(write);
      case NOT,
          NO_FENCING,
          DOUBLE_CLAIM,
          LOST_WAKE_UP,
          ACTS_BEFORE_IT_WRITES,
          LEASES_OF_NOBODY,
          FORGETS_LOST_CLAIMS,
          LEASES_END_EARLY,
          STEPS_GO_ON,
          WORKERS_STAY ->
          write;
    };
  }

  private static NewRun reversed(NewRun run) {
    NewRun.Undoing undoing = run.inputs().undoing();
    if (undoing == null) {
      return run;
    }
    NewRun.Undoing backwards =
        new NewRun.Undoing(undoing.order().reversed(), undoing.variables(), undoing.steps());
    return new NewRun(
        run.id(),
        run.kind(),
        run.definition(),
        run.operation(),
        run.subject(),
        run.tenancy(),
        run.origin(),
        new NewRun.Inputs(
            run.inputs().parameters(), run.inputs().context(), run.inputs().outputs(), backwards),
        run.creation(),
        run.timeLimit());
  }

  private static RunWrite with(RunWrite write, List<NewRun> made) {
    return new RunWrite(
        write.run(),
        write.fence(),
        write.version(),
        write.steps(),
        write.attempts(),
        write.change(),
        write.report(),
        new RunWrite.Others(made, write.others().halted(), write.others().woken()),
        write.events(),
        write.at());
  }

  private static RunWrite withoutTimer(RunWrite write) {
    return new RunWrite(
        write.run(),
        write.fence(),
        write.version(),
        write.steps(),
        write.attempts(),
        write
            .change()
            .map(
                c ->
                    c.hold() instanceof RunWrite.Hold.GiveBack back
                        ? new RunWrite.RunChange(
                            c.state(),
                            new RunWrite.Hold.GiveBack(null, back.signalsSeen()),
                            c.variables(),
                            c.outputs(),
                            c.error(),
                            c.rollback(),
                            c.deadline())
                        : c),
        write.report(),
        write.others(),
        write.events(),
        write.at());
  }
}
