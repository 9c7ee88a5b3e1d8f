package dev.slipway.postgres.model;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.workflow.StepType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Does the steps of one machine as the seed says, and tells the rules of it. */
final class Actor {
  private static final StepExecutor.Result DONE =
      new StepExecutor.Result.Succeeded(Map.of(), Set.of());

  private final Turns turns;
  private final Turns.Machine machine;
  private final Rules rules;
  private final Desk desk;
  private final long seed;
  private final Broken broken;

  Actor(Turns turns, Turns.Machine machine, Rules rules, Desk desk, long seed, Broken broken) {
    this.turns = turns;
    this.machine = machine;
    this.rules = rules;
    this.desk = desk;
    this.seed = seed;
    this.broken = broken;
  }

  List<StepExecutor> executors() {
    return List.of(new Work(), new Wait(), new Ask());
  }

  private abstract static class Typed implements StepExecutor {
    private final StepType type;

    Typed(String name) {
      this.type = new StepType(name, Set.of(), List.of(), 1, StepType.Code.NONE);
    }

    @Override
    public StepType type() {
      return type;
    }
  }

  /** Takes its time, changes the world in the middle, and ends well or not. */
  private final class Work extends Typed {
    Work() {
      super("work");
    }

    @Override
    public Result execute(StepCall call) throws InterruptedException {
      rules.begins(call, machine);
      Random fate = new Random(seed ^ call.key().substring(30).hashCode() * 31L);
      boolean stubborn = fate.nextInt(20) == 0;
      int most = fate.nextInt(8) == 0 ? 100_000 : 8_000;
      try {
        return worked(call, fate, Duration.ofMillis(fate.nextInt(most)));
      } catch (InterruptedException e) {
        if (stubborn) {
          turns.pause(() -> false, turns.instant().plusMillis(fate.nextInt(2_000)));
        }
        throw e;
      } finally {
        rules.ends(call);
      }
    }

    private Result worked(StepCall call, Random fate, Duration half) throws InterruptedException {
      int chance = fate.nextInt(100);
      if (chance < 8 && call.memory().isEmpty()) {
        Instant until = turns.instant().plusSeconds(fate.nextInt(60));
        return new Result.Parked(until, "a while", Map.of("parked", true));
      }
      turns.await(() -> false, turns.instant().plus(half));
      if (broken != Broken.STEPS_GO_ON) {
        askFirst(call);
      }
      rules.effect(call);
      turns.await(() -> false, turns.instant().plus(half));
      if (chance < 70) {
        return DONE;
      }
      if (chance < 72) {
        throw new IllegalStateException("broken on purpose");
      }
      StepError error =
          chance < 86
              ? StepError.passing("shaky", "try again", null)
              : StepError.permanent("broken", "it is broken", null);
      return new Result.Failed(error, Map.of());
    }
  }

  private void askFirst(StepCall call) throws InterruptedException {
    try {
      call.lease().check();
    } catch (InterruptedException e) {
      rules.heldBack(call, machine);
      throw e;
    }
  }

  /** Parks for some seconds. */
  private final class Wait extends Typed {
    Wait() {
      super("wait");
    }

    @Override
    public Result execute(StepCall call) {
      Object until = call.memory().get("until");
      Instant end =
          until == null ? turns.instant().plusSeconds(20) : Instant.parse(String.valueOf(until));
      return end.isAfter(turns.instant())
          ? new Result.Parked(end, "time", Map.of("until", end.toString()), Limits.RUN)
          : DONE;
    }
  }

  /** Asks people, who have two minutes. */
  private final class Ask extends Typed {
    Ask() {
      super("approval");
    }

    @Override
    public Result execute(StepCall call) {
      turns.yield();
      Desk.Answer answer = desk.ask(call.run(), Rules.nameOf(call), turns.instant());
      return switch (answer.said()) {
        case PENDING -> new Result.Parked(answer.expires(), "approval", call.memory(), Limits.NONE);
        case GRANTED -> DONE;
        case REJECTED, EXPIRED ->
            new Result.Failed(StepError.permanent("not-approved", "no", null), Map.of());
      };
    }

    @Override
    public void stop(StepCall call) {
      desk.withdraw(call.run(), Rules.nameOf(call));
    }
  }
}
