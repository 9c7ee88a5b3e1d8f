package dev.slipway.steps.terraform;

import dev.slipway.engine.execute.ModuleStates.Claim;
import dev.slipway.engine.execute.ModuleStates.Glance;
import dev.slipway.engine.execute.ModuleStates.Holder;
import dev.slipway.engine.execute.ModuleStates.Lock;
import dev.slipway.engine.execute.ModuleStates.Workspace;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.value.Json;
import dev.slipway.steps.process.Removal;
import dev.slipway.steps.process.ScriptDirectory;
import dev.slipway.steps.terraform.MachineLog.Counts;
import dev.slipway.steps.terraform.StateKeeper.Kept;
import dev.slipway.steps.terraform.StateKeeper.Leave;
import dev.slipway.steps.terraform.TerraformExecutor.Setup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The work of one step on a module. */
final class ModuleWork {
  private static final Duration LOOK_AT_LOCK = Duration.ofSeconds(2);

  private final Setup setup;
  private final ModuleRequest request;
  private final StepCall call;
  private final Path program;
  private final Path root;
  private final Path path;
  private final Holder holder;
  private Leave leave = Leave.RELEASE;

  ModuleWork(Setup setup, ModuleRequest request, Path program) throws IOException {
    this.setup = setup;
    this.request = request;
    this.call = request.call();
    this.program = program;
    this.root = ScriptDirectory.providerRoot(call, "path");
    Path module = ScriptDirectory.ofProvider(call, "path", request.path());
    if (!Files.isDirectory(module)) {
      throw new IllegalArgumentException("path '" + request.path() + "' is no directory");
    }
    this.path = root.relativize(module);
    this.holder = new Holder(call.run(), call.step().name(), call.epoch());
  }

  Result result() throws IOException, InterruptedException {
    return switch (request.operation()) {
      case INIT, VALIDATE -> withoutState();
      case OUTPUT -> look();
      case PLAN, APPLY, DESTROY -> locked();
    };
  }

  private Workspace workspace() {
    return request.workspaceOf(path.toString().isEmpty() ? "." : path.toString());
  }

  private Result withoutState() throws IOException, InterruptedException {
    try (ScriptDirectory directory = ScriptDirectory.create(setup.data(), call)) {
      Commands commands = commands(directory, copy(directory), Optional.empty());
      commands.init();
      if (request.operation() == TerraformOperation.VALIDATE) {
        commands.validate();
      }
      return ModuleOutputs.none().result(call.step());
    }
  }

  private Result look() throws IOException, InterruptedException {
    Workspace workspace = workspace();
    byte[] state =
        switch (setup.states().look(workspace)) {
          case Glance.State found -> found.bytes();
          case Glance.Missing missing -> throw lost(workspace, missing.kept());
          case Glance.Foreign _ -> throw foreign(workspace);
          case Glance.None _ ->
              throw TerraformFailure.permanent(
                  "no-state",
                  "nothing was ever applied in workspace '" + workspace.key() + "'",
                  "Apply the module first; do 'path' and 'workspace' say the same there?");
        };
    try (ScriptDirectory directory = ScriptDirectory.create(setup.data(), call)) {
      ModuleCopy copy = copy(directory);
      ModuleCopy.secretFile(copy.state(), state);
      Commands commands = commands(directory, copy, Optional.of(state));
      commands.init();
      return ModuleOutputs.of(commands.outputs()).result(call.step());
    }
  }

  private Result locked() throws IOException, InterruptedException {
    Workspace workspace = workspace();
    Claim claim;
    try {
      claim = setup.states().claim(workspace, holder, now());
    } catch (IllegalStateException e) {
      throw TerraformFailure.permanent("state-unreadable", String.valueOf(e.getMessage()), null);
    } catch (RuntimeException e) {
      String away = "the store of states, which does not answer: " + e.getMessage();
      return new Result.Parked(now().plus(LOOK_AT_LOCK), away, call.memory());
    }
    return switch (claim) {
      case Claim.Held held -> with(held);
      case Claim.Busy busy -> busy(workspace, busy);
      case Claim.Missing missing -> throw lost(workspace, missing.kept());
      case Claim.Foreign _ -> throw foreign(workspace);
      case Claim.Fenced _ ->
          throw TerraformFailure.permanent(
              "state-lock-lost", "the run has passed to another server meanwhile", null);
    };
  }

  private static TerraformFailure foreign(Workspace workspace) {
    return TerraformFailure.permanent(
        "not-ours",
        "the state of workspace '" + workspace.key() + "' was made by a run of another team",
        "Name the workspace after the team or the resource.");
  }

  private Result with(Claim.Held held) throws IOException, InterruptedException {
    StateKeeper keeper = new StateKeeper(setup.states(), held.lock(), setup.clock(), call.log());
    Result result;
    try {
      result = work(held, keeper);
    } catch (IOException | InterruptedException | RuntimeException e) {
      settle(keeper);
      throw e;
    }
    settle(keeper);
    return result;
  }

  private Result work(Claim.Held held, StateKeeper keeper)
      throws IOException, InterruptedException {
    Optional<byte[]> state = newest(held);
    if (request.operation() == TerraformOperation.DESTROY && state.isEmpty()) {
      note("nothing was ever made here, so there is nothing to destroy");
      leave = Leave.FORGET;
      return ModuleOutputs.none().with(Counts.NONE).result(call.step());
    }
    ScriptDirectory directory = ScriptDirectory.create(setup.data(), call);
    Leftovers.sign(directory, held.lock());
    ModuleCopy copy = copy(directory);
    if (state.isPresent()) {
      ModuleCopy.secretFile(copy.state(), state.get());
    }
    Commands commands = commands(directory, copy, state);
    commands.init();
    Counts counts = commands.plan(request.operation(), request.variables());
    if (request.operation() == TerraformOperation.PLAN) {
      return ModuleOutputs.none().with(counts).result(call.step());
    }
    keeper.watch(copy.state(), state, Thread.currentThread()::interrupt);
    commands.apply();
    if (request.operation() == TerraformOperation.DESTROY) {
      leave = emptied(copy) ? Leave.FORGET : Leave.RELEASE;
      return ModuleOutputs.none().with(counts).result(call.step());
    }
    return ModuleOutputs.of(commands.outputs()).with(counts).result(call.step());
  }

  /** The stored state, or a later one that the previous holder of the lock left on this machine. */
  private Optional<byte[]> newest(Claim.Held held) throws IOException {
    if (held.before().isEmpty()) {
      return held.state();
    }
    Lock before = held.before().get();
    note(
        before.holder().run().equals(call.run())
            ? "took over the lock of the interrupted attempt"
            : "took over the lock of run " + before.holder().run() + ", which has ended");
    Leftovers left = Leftovers.of(setup.data(), before);
    Optional<byte[]> later =
        left.state().filter(s -> held.state().filter(known -> Arrays.equals(known, s)).isEmpty());
    if (later.isPresent()) {
      note("took over the state that it left on this machine");
      setup.states().write(held.lock(), later.get(), now());
    }
    left.remove();
    return later.or(held::state);
  }

  /** Stores the state that a stopped step left on this machine. */
  void rescue() throws IOException {
    if (setup.states().claim(workspace(), holder, now()) instanceof Claim.Held held) {
      newest(held);
      setup.states().release(held.lock());
    }
  }

  private void settle(StateKeeper keeper) throws IOException {
    Kept kept = keeper.close(leave);
    if (kept != Kept.NOT_SAVED) {
      Removal.attempt(
          ScriptDirectory.of(setup.data(), call.run(), call.step().name(), call.attempt()));
    }
    switch (kept) {
      case ALL -> {}
      case LOST -> {
        Thread.interrupted(); // the keeper interrupts the program this way when the lock is lost
        throw TerraformFailure.permanent(
            "state-lock-lost",
            "the lock of the state was lost while the step worked; the state was not overwritten",
            "What this step made meanwhile is kept as a refused state of '"
                + workspace().key()
                + "'. Find out who took the lock before going on.");
      }
      case NOT_SAVED ->
          throw TerraformFailure.passing(
              "state-not-saved",
              "the database did not take the last state of '" + workspace().key() + "'",
              "It is kept in the data directory of this server, and taken up by the next attempt.");
    }
  }

  private Result busy(Workspace workspace, Claim.Busy busy) {
    Instant since = call.memory().get("since") instanceof String text ? Instant.parse(text) : now();
    String who =
        "run %s (workflow %s, step %s, requested by %s) since %s"
            .formatted(
                busy.by().run(),
                busy.workflow(),
                busy.by().step(),
                busy.requestedBy(),
                busy.since().truncatedTo(ChronoUnit.SECONDS));
    if (now().isBefore(since.plus(request.lockTimeout()))) {
      return new Result.Parked(
          now().plus(LOOK_AT_LOCK),
          "the state's lock, held by " + who,
          Map.of("since", since.toString()));
    }
    throw TerraformFailure.passing(
        "state-locked",
        "the state of '" + workspace.key() + "' is locked by " + who,
        "Wait for that run, or cancel it; lockTimeout says how long this step waits.");
  }

  private static TerraformFailure lost(Workspace workspace, String kept) {
    return TerraformFailure.permanent(
        "state-lost",
        "the state of '"
            + workspace.key()
            + "' is gone, and without it everything would be made"
            + " a second time",
        kept.equals("none")
            ? "No older state is left. Restore the database from a backup."
            : "Older states are there: " + kept + ". " + wayBack(workspace));
  }

  private static String wayBack(Workspace workspace) {
    return workspace.resource() == null
        ? "In the database: UPDATE module_workspaces SET version = N WHERE key = '"
            + workspace.key().replace("'", "''")
            + "'"
        : "An operator goes back to one: slipway state restore "
            + workspace.resource()
            + " --version N --module '"
            + workspace.key()
            + "'";
  }

  private ModuleCopy copy(ScriptDirectory directory) throws IOException {
    return ModuleCopy.make(root, path, directory.path().resolve("files"));
  }

  private Commands commands(ScriptDirectory directory, ModuleCopy copy, Optional<byte[]> state)
      throws IOException {
    Surroundings around = Surroundings.of(setup, directory, call);
    StepLog log = HushedLog.over(call.log(), state);
    return new Commands(program, copy, directory, around, call, log, setup.clock());
  }

  private static boolean emptied(ModuleCopy copy) {
    return StateFile.read(copy.state())
        .map(bytes -> Json.readMap(new String(bytes, StandardCharsets.UTF_8)))
        .filter(state -> state.get("resources") instanceof List<?> left && left.isEmpty())
        .isPresent();
  }

  private void note(String text) {
    call.log().line(StepLog.Stream.NOTE, text);
  }

  private Instant now() {
    return setup.clock().instant();
  }
}
