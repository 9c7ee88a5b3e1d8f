package dev.slipway.steps.terraform;

import dev.slipway.engine.execute.ModuleStates;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.workflow.OutputException;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import dev.slipway.steps.process.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Runs a Terraform module: init, a saved plan, the apply of exactly that plan. The state belongs to
 * the resource; a repeated attempt finds in it what the interrupted one created, plans again and
 * creates only what is missing.
 */
public final class TerraformExecutor implements StepExecutor {
  /** Steps that prefer terraform. */
  public static final StepType TERRAFORM = type("terraform", Binary.TERRAFORM);

  /** Steps that prefer tofu. */
  public static final StepType OPENTOFU = type("opentofu", Binary.OPENTOFU);

  /** How long processes of an interrupted attempt may take to save their state. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final StepType type;
  private final Binary binary;
  private final Setup setup;

  /** What both executors share: directories below {@code data}, and the store of states. */
  public record Setup(
      Path data,
      ProgramPath programs,
      Supplier<ProcessLimits> limits,
      ModuleStates states,
      InstantSource clock) {}

  private TerraformExecutor(StepType type, Binary binary, Setup setup) {
    this.type = type;
    this.binary = binary;
    this.setup = setup;
  }

  /** For steps of type terraform. */
  public static TerraformExecutor terraform(Setup setup) {
    return new TerraformExecutor(TERRAFORM, Binary.TERRAFORM, setup);
  }

  /** For steps of type opentofu. */
  public static TerraformExecutor openTofu(Setup setup) {
    return new TerraformExecutor(OPENTOFU, Binary.OPENTOFU, setup);
  }

  private static StepType type(String name, Binary binary) {
    return new StepType(
            name,
            Set.of(),
            List.of(
                new Field(
                        "operation",
                        Kind.TEXT,
                        Need.OPTIONAL,
                        "apply, unless the workflow deletes: then it must be said")
                    .oneOf(TerraformOperation.WORDS),
                new Field(
                        "path",
                        Kind.TEXT,
                        Need.REQUIRED,
                        "the module, below the provider's directory")
                    .also("workingDir"),
                new Field("variables", Kind.MAP, Need.OPTIONAL, "values of the module's variables"),
                new Field(
                    "workspace",
                    Kind.TEXT,
                    Need.OPTIONAL,
                    "name of the state among this provider's in the environment; without it the"
                        + " state is the resource's, one for each module"),
                new Field(
                    "binary",
                    Kind.TEXT,
                    Need.OPTIONAL,
                    "a program on the PATH or an absolute path; terraform or tofu, whichever is"
                        + " there"),
                new Field(
                    "lockTimeout",
                    Kind.DURATION,
                    Need.OPTIONAL,
                    "how long to wait for a lock on the state that another run holds; 1m"),
                new Field("executor", Kind.TEXT, Need.OPTIONAL, "where it runs: on the server")
                    .oneOf("local")
                    .not(
                        "kubernetes-job",
                        "it is not supported yet for steps of this type, only for shell and ansible")),
            1,
            StepType.Code.RUNS,
            binary::needed)
        .documented(
            "Runs a module of the provider: init, a saved plan, and the apply of exactly that plan"
                + " (`-destroy` to destroy). `plan` changes nothing. The state is kept by Slipway,"
                + " encrypted and locked in PostgreSQL, and belongs to the resource: its create,"
                + " update and delete workflows find the same. A run for no resource names a"
                + " `workspace`. A module with a `backend` or `cloud` block is refused.",
            "The state is stored whenever the program writes it. After a crash the repeated attempt"
                + " finds there what was made, plans again and makes the rest. On cancel and"
                + " timeout the program is interrupted and has ten seconds to finish. A lock that"
                + " another run holds is waited for (`lockTimeout`), then `state-locked`, which may"
                + " pass; a lock lost meanwhile fails with `state-lock-lost`; a state that is gone"
                + " with `state-lost`, and nothing is made twice.")
        .giving("(any)", "the module's outputs with their types; sensitive ones are secrets")
        .giving("to_add", "how many objects the plan makes")
        .giving("to_change", "how many it changes")
        .giving("to_destroy", "how many it destroys");
  }

  @Override
  public StepType type() {
    return type;
  }

  @Override
  public Result execute(StepCall call) throws InterruptedException {
    try {
      if (call.origin() == StepCall.Origin.RECOVERED) {
        endFormer(call);
      }
      ModuleRequest request = ModuleRequest.of(call);
      Path program = binary.find(request.binary(), setup.programs());
      call.log().line(StepLog.Stream.NOTE, request.operation().word() + " with " + program);
      return new ModuleWork(setup, request, program).result();
    } catch (TerraformFailure e) {
      return new Result.Failed(e.error(), Map.of());
    } catch (OutputException | IllegalArgumentException e) {
      return Result.failed("invalid-config", String.valueOf(e.getMessage()), null);
    } catch (IOException | UncheckedIOException e) {
      return Result.failed(
          "module-not-prepared",
          "the module cannot be prepared: " + e.getMessage(),
          "Check the disk and the permissions of the data directory.");
    }
  }

  private static void endFormer(StepCall call) throws InterruptedException {
    if (!Programs.leftoversEnded(call.key(), GRACE)) {
      int ended = Programs.endLeftovers(call.key(), call.lease());
      call.log()
          .line(StepLog.Stream.NOTE, "ended " + ended + " processes of the interrupted attempt");
    }
  }

  /** Ends the processes of the attempt and stores the state they wrote. */
  @Override
  public void stop(StepCall call) throws InterruptedException {
    endFormer(call);
    try {
      ModuleRequest request = ModuleRequest.of(call);
      if (request.operation().changes()) {
        new ModuleWork(setup, request, Path.of("")).rescue();
      }
    } catch (TerraformFailure | IllegalArgumentException | IOException e) {
      call.log().line(StepLog.Stream.NOTE, "nothing of its state was found: " + e.getMessage());
    }
  }
}
