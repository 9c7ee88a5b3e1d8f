package dev.slipway.bench;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.postgres.DatabaseClock;
import dev.slipway.steps.NoopExecutor;
import dev.slipway.steps.ShellExecutor;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What a real workflow costs: ten steps with conditions and outputs beside two that do nothing, and
 * a shell step beside the bare start of the same shell.
 */
public final class WorkflowBenchmark {
  private static final int STEPS = 10;
  private static final int PROCESSES = 200;

  private static final String TEN_STEPS =
      """
      apiVersion: innominatus.io/v1alpha1
      kind: Workflow
      metadata: {name: ten}
      parameters:
        - {name: name, type: string, required: true}
        - {name: size, type: integer, min: 1, max: 10, default: 1}
      steps:
        - {name: names, type: noop, config: {result: {host: '{{ .parameters.name }}.local', port: 5432}}}
        - {name: size, type: noop, if: 'parameters.size > 1', config: {result: {units: '{{ mul .parameters.size 4 }}'}}}
        - {name: small, type: noop, if: 'parameters.size == 1', config: {result: {units: 1}}}
        - {name: url, type: noop, config: {result: {url: 'db://{{ .steps.names.output.host }}:{{ .steps.names.output.port }}'}}, setVariables: {address: '{{ .steps.url.output.url }}'}}
        - {name: left, type: noop, parallel: true, config: {result: {of: '${variables.address}'}}}
        - {name: right, type: noop, parallel: true, config: {result: {of: '${steps.names.output.host}'}}}
        - {name: check, type: noop, unless: 'steps.left.output.of contains "remote"', config: {result: {ok: true}}}
        - {name: rescue, type: noop, when: on_failure}
        - {name: label, type: noop, if: 'steps.check.output.ok == true and check.success', config: {result: {label: '{{ upper .parameters.name | printf "%s-%d" | trunc 20 }}'}}}
        - {name: last, type: noop, when: always, config: {result: {done: '{{ .steps.label.output.label }}'}}}
      outputs:
        url: '{{ .steps.url.output.url }}'
        units: '{{ .steps.size.output.units }}'
        password: {value: '{{ .steps.names.output.host }}', secret: true}
      """;

  private static final String ONE_SCRIPT =
      """
      apiVersion: innominatus.io/v1alpha1
      kind: Workflow
      metadata: {name: script}
      steps:
        - {name: say, type: shell, config: {script: 'true'}}
      """;

  private WorkflowBenchmark() {}

  /** Arguments: how many runs of ten steps (1000). */
  public static void main(String[] arguments) throws Exception {
    int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000;
    try (BenchDatabase postgres = new BenchDatabase()) {
      DatabaseClock clock = new DatabaseClock(postgres.database(), Threads.OF_MACHINE);
      tenSteps(postgres, clock, runs);
      shell(postgres, clock);
    }
    System.exit(0);
  }

  private static void tenSteps(BenchDatabase postgres, DatabaseClock clock, int runs)
      throws InterruptedException {
    List<StepExecutor> noop = List.of(new NoopExecutor());
    RunLoad two = new RunLoad(postgres.database(), clock, noop, RunBenchmark.TWO_STEPS);
    RunLoad ten = new RunLoad(postgres.database(), clock, noop, TEN_STEPS);
    two.perSecond(3 * runs); // warms up the JVM
    ten.perSecond(runs);
    double twoPerSecond = two.perSecond(STEPS / 2 * runs); // as many steps
    double tenPerSecond = ten.perSecond(runs);
    say("two no-op steps          %,10.0f runs/s %,10.0f steps/s", twoPerSecond, 2 * twoPerSecond);
    say("ten, with conditions     %,10.0f runs/s %,10.0f steps/s", tenPerSecond, 10 * tenPerSecond);
    say("a step of ten against a no-op step of two %12.2f times", 5 * tenPerSecond / twoPerSecond);
  }

  private static void shell(BenchDatabase postgres, DatabaseClock clock) throws Exception {
    Timed timed =
        new Timed(
            new ShellExecutor(
                postgres.directory().resolve("work"),
                ProgramPath.ofThisProcess(),
                () -> ProcessLimits.DEFAULT,
                clock));
    RunLoad load = new RunLoad(postgres.database(), clock, List.of(timed), ONE_SCRIPT);
    oneAtATime(load, PROCESSES / 4); // warms up
    bare(PROCESSES / 4);
    timed.nanos.clear();
    oneAtATime(load, PROCESSES);
    double step = median(timed.nanos.stream().mapToLong(Long::longValue).toArray());
    double bare = median(bare(PROCESSES));
    say("bash started bare, median                  %12.2f ms", bare / 1e6);
    say("shell step, from call to result, median    %12.2f ms", step / 1e6);
    say("overhead over the bare start               %12.2f ms", (step - bare) / 1e6);
    say("against the bare start                     %12.2f times", step / bare);
  }

  private static void oneAtATime(RunLoad load, int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      load.perSecond(1);
    }
  }

  private static long[] bare(int count) throws Exception {
    long[] nanos = new long[count];
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      Process process = new ProcessBuilder("bash", "-c", "true").start();
      process.getOutputStream().close();
      process.getInputStream().readAllBytes();
      process.waitFor();
      nanos[i] = System.nanoTime() - start;
    }
    return nanos;
  }

  private static double median(long[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  private static void say(String format, Object... numbers) {
    System.out.printf(Locale.ROOT, format + "%n", numbers);
  }

  /** Another executor, and how long each of its calls took. */
  private record Timed(StepExecutor executor, Queue<Long> nanos) implements StepExecutor {
    Timed(StepExecutor executor) {
      this(executor, new ConcurrentLinkedQueue<>());
    }

    @Override
    public StepType type() {
      return executor.type();
    }

    @Override
    public Result execute(StepCall call) throws InterruptedException {
      long start = System.nanoTime();
      Result result = executor.execute(call);
      nanos.add(System.nanoTime() - start);
      return result;
    }

    @Override
    public void stop(StepCall call) throws InterruptedException {
      executor.stop(call);
    }
  }
}
