package dev.slipway.steps.terraform;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.steps.process.Ending;
import dev.slipway.steps.process.Program;
import dev.slipway.steps.process.Programs;
import dev.slipway.steps.process.ScriptDirectory;
import dev.slipway.steps.process.StepUser;
import dev.slipway.steps.terraform.MachineLog.Counts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The commands of terraform or tofu, run in the module's copy. */
record Commands(
    Path binary,
    ModuleCopy module,
    ScriptDirectory directory,
    Surroundings around,
    StepCall call,
    StepLog log,
    InstantSource clock) {
  private static final long LARGEST_ANSWER = 64L * 1024 * 1024;
  private static final String UNDECLARED = "Value for undeclared variable";

  /** Only one download at a time may write into a plugin cache. */
  private static final Map<Path, ReentrantLock> CACHES = new ConcurrentHashMap<>();

  void init() throws IOException, InterruptedException {
    ReentrantLock lock = CACHES.computeIfAbsent(around.cache(), _ -> new ReentrantLock());
    lock.lockInterruptibly();
    try {
      HumanLog human = new HumanLog(log, module.shown());
      Ending ending = run(human, "init", "-no-color", "-input=false");
      if (CommandEnd.code(ending) != 0) {
        throw CommandEnd.failed(name("init"), human.findings(), ending);
      }
    } finally {
      lock.unlock();
    }
  }

  void validate() throws IOException, InterruptedException {
    Path answer = directory.path().resolve("validate.json");
    Ending ending = runInto(answer, "validate", "-json");
    List<Finding> findings = new ArrayList<>();
    Map<String, Object> report = answer(answer);
    if (report.get("diagnostics") instanceof List<?> all) {
      all.forEach(each -> findings.add(Finding.of(Values.map(each), module.shown())));
    }
    findings.forEach(f -> log.line(StepLog.Stream.STDOUT, f.severity() + " " + f.sentence()));
    if (CommandEnd.code(ending) != 0) {
      throw CommandEnd.failed(name("validate"), findings, ending);
    }
    log.line(StepLog.Stream.STDOUT, "The configuration is valid.");
  }

  /** Creates the plan that {@link #apply} executes, and logs it. */
  Counts plan(TerraformOperation purpose, Map<String, Object> variables)
      throws IOException, InterruptedException {
    Path values = directory.path().resolve("values.tfvars.json");
    ModuleCopy.secretFile(values, Json.write(variables).getBytes(StandardCharsets.UTF_8));
    List<String> arguments =
        new ArrayList<>(List.of("plan", "-json", "-input=false", "-out=" + planFile()));
    arguments.add("-var-file=" + values);
    if (purpose == TerraformOperation.DESTROY) {
      arguments.add("-destroy");
    }
    MachineLog machine = new MachineLog(log, module.shown());
    Ending ending = run(machine, arguments.toArray(String[]::new));
    if (CommandEnd.code(ending) != 0) {
      throw CommandEnd.failed(name("plan"), machine.findings(), ending);
    }
    machine.findings().stream()
        .filter(f -> f.summary().startsWith(UNDECLARED))
        .findFirst()
        .ifPresent(Commands::refuseUndeclared);
    run(log, "show", "-no-color", planFile().toString());
    return machine.counts();
  }

  private static void refuseUndeclared(Finding finding) {
    throw TerraformFailure.permanent(
        "undeclared-variable",
        finding.detail().split("\n")[0].replaceAll(" but a value was found.*", ""),
        "Declare it in the module, or remove it from 'variables'.");
  }

  /** Executes exactly the saved plan. */
  void apply() throws IOException, InterruptedException {
    MachineLog machine = new MachineLog(log, module.shown());
    Ending ending = run(machine, "apply", "-json", "-input=false", planFile().toString());
    if (CommandEnd.code(ending) != 0) {
      throw CommandEnd.failed(name("apply"), machine.findings(), ending);
    }
  }

  /** Name to {@code {value, sensitive, type}}. */
  Map<String, Object> outputs() throws IOException, InterruptedException {
    Path answer = directory.path().resolve("outputs.json");
    Ending ending = runInto(answer, "output", "-no-color", "-json");
    if (CommandEnd.code(ending) != 0) {
      throw CommandEnd.failed(name("output"), List.of(), ending);
    }
    return answer(answer);
  }

  private String name(String command) {
    return binary.getFileName() + " " + command;
  }

  private Path planFile() {
    return directory.path().resolve("plan.bin");
  }

  private static Map<String, Object> answer(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) == 0) {
      return Map.of();
    }
    if (Files.size(file) > LARGEST_ANSWER) {
      throw TerraformFailure.permanent(
          "outputs-too-large",
          "the outputs have " + Files.size(file) / 1024 / 1024 + " MiB",
          "Output where the data is, not the data.");
    }
    return Json.readMap(Files.readString(file));
  }

  private Ending run(StepLog reader, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(binary.toString()));
    command.addAll(List.of(arguments));
    return start(command, reader);
  }

  /** Its standard output may hold secrets, so it is written to a file and not to the log. */
  private Ending runInto(Path answer, String... arguments)
      throws IOException, InterruptedException {
    ModuleCopy.secretFile(answer, new byte[0]);
    List<String> command =
        new ArrayList<>(List.of("/bin/sh", "-c", "out=$1; shift; exec \"$@\" > \"$out\"", "sh"));
    command.add(answer.toString());
    command.add(binary.toString());
    command.addAll(List.of(arguments));
    return start(command, log);
  }

  private Ending start(List<String> command, StepLog reader)
      throws IOException, InterruptedException {
    Duration left = Duration.between(clock.instant(), call.deadline());
    Program program =
        new Program(
                command,
                module.module(),
                around.environment(),
                directory.stdin(""),
                left.isPositive() ? left : Duration.ofMillis(1),
                call.key())
            .with(Program.Farewell.INTERRUPT_LEADER)
            .within(around.limits(), directory.path());
    Optional<StepUser> user = StepUser.of(around.limits().user());
    if (user.isPresent()) {
      directory.giveTo(user.get());
      directory.share(user.get(), around.cache());
    }
    return Programs.run(program, call.lease(), reader);
  }
}
