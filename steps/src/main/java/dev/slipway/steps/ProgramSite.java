package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.steps.process.Ending;
import dev.slipway.steps.process.Program;
import dev.slipway.steps.process.Programs;
import dev.slipway.steps.process.ScriptDirectory;
import dev.slipway.steps.process.StepUser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where programs of steps run: in private directories below {@code data}, with {@code programs} as
 * search path, within the {@code limits} in force when they start.
 */
record ProgramSite(
    Path data, ProgramPath programs, Supplier<ProcessLimits> limits, InstantSource clock) {

  /** Work in a step's own directory. */
  interface Work {
    Result in(ScriptDirectory directory) throws IOException, InterruptedException;
  }

  /**
   * Does the work in a fresh directory and removes it afterwards; {@code what} names the work in
   * the error when there is no directory.
   */
  Result work(StepCall call, String what, Work work) throws InterruptedException {
    try (ScriptDirectory directory = ScriptDirectory.create(data, call)) {
      return work.in(directory);
    } catch (IOException | UncheckedIOException e) {
      return Result.failed(
          what + "-not-started",
          "the " + what + " cannot be prepared: " + e.getMessage(),
          "Check the disk and the permissions of the data directory.");
    } catch (IllegalArgumentException e) {
      return Result.failed("invalid-config", String.valueOf(e.getMessage()), null);
    }
  }

  Ending run(StepCall call, Program program, ScriptDirectory directory, StepLog log)
      throws IOException, InterruptedException {
    ProcessLimits now = limits.get();
    Optional<StepUser> user = StepUser.of(now.user());
    if (user.isPresent()) {
      directory.giveTo(user.get());
    }
    return Programs.run(program.within(now, directory.path()), call.lease(), log);
  }

  /** The time left until the step's timeout. */
  Duration left(StepCall call) {
    Duration left = Duration.between(clock.instant(), call.deadline());
    return left.isPositive() ? left : Duration.ofMillis(1);
  }
}
