package dev.slipway.bench;

import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.resolve.Grants;
import dev.slipway.engine.resolve.LiveRegistry;
import dev.slipway.engine.resolve.ProviderLoader;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.workflow.WorkflowParser;
import dev.slipway.postgres.DatabaseClock;
import dev.slipway.steps.NoopExecutor;
import dev.slipway.steps.StepCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Loading and reloading many providers, and whether runs feel it: the longest time in which no run
 * ended, with reloads one after the other beside and without.
 */
public final class RegistryBenchmark {
  private static final int RELOADS = 9;

  private final Path directory;
  private final LiveRegistry registry;

  private RegistryBenchmark(Path directory, int providers) throws IOException {
    this.directory = directory;
    List<ProviderSource> sources = new ArrayList<>();
    for (int i = 0; i < providers; i++) {
      sources.add(
          new ProviderSource(
              new ProviderSource.Location.Directory(provider(i)),
              null,
              0,
              "team",
              List.of(),
              Duration.ofMinutes(1),
              Grants.NONE));
    }
    WorkflowParser parser = new WorkflowParser(StepCatalog.types());
    this.registry = new LiveRegistry(new ProviderLoader(parser::parse), sources);
  }

  /** Arguments: how many providers (500), how many runs beside them (5000). */
  public static void main(String[] arguments) throws Exception {
    int providers = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 500;
    int runs = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5_000;
    try (BenchDatabase postgres = new BenchDatabase()) {
      RegistryBenchmark benchmark =
          new RegistryBenchmark(postgres.directory().resolve("providers"), providers);
      benchmark.reloads(providers);
      benchmark.besideRuns(postgres, runs);
    }
    System.exit(0);
  }

  private void reloads(int providers) throws IOException {
    say("%d providers, three workflows each", providers);
    say("first load                      %10.1f ms", milliseconds(registry::reload));
    if (registry.current().providers().size() != providers) {
      throw new IllegalStateException("not all loaded: " + registry.current().problems());
    }
    double[] unchanged = new double[RELOADS];
    double[] changed = new double[RELOADS];
    for (int i = 0; i < RELOADS; i++) {
      unchanged[i] = milliseconds(registry::reload);
      touch(i);
      changed[i] = milliseconds(registry::reload);
    }
    say("reload, nothing changed, median %10.1f ms", median(unchanged));
    say("reload, one changed, median     %10.1f ms", median(changed));
  }

  private void besideRuns(BenchDatabase postgres, int runs) throws Exception {
    List<StepExecutor> noop = List.of(new NoopExecutor());
    RunLoad load =
        new RunLoad(
            postgres.database(),
            new DatabaseClock(postgres.database(), Threads.OF_MACHINE),
            noop,
            RunBenchmark.TWO_STEPS);
    load.perSecond(runs); // warms up the JVM
    Gaps alone = new Gaps();
    double without = load.perSecond(runs, alone);
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger reloads = new AtomicInteger();
    Thread reloading =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    registry.reload();
                    reloads.incrementAndGet();
                  }
                });
    Gaps beside = new Gaps();
    double with = load.perSecond(runs, beside);
    over.set(true);
    reloading.join();
    say("longest time without an end of a run, no reload     %8.1f ms", alone.longestMillis());
    say(
        "the same, %3d reloads one after the other beside    %8.1f ms",
        reloads.get(), beside.longestMillis());
    say("runs per second beside reloads, against without     %8.2f times", with / without);
  }

  private Path provider(int number) throws IOException {
    Path home = directory.resolve("p" + number);
    Path workflows = Files.createDirectories(home.resolve("workflows"));
    Files.writeString(
        home.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: provider-%1$d, version: 1.0.0, description: One of many}
        capabilities:
          resourceTypeCapabilities:
            - type: thing-%1$d
              operations:
                create: {workflow: make}
                update: {workflow: change}
                delete: {workflow: remove}
        workflows:
          - {name: make, file: ./workflows/make.yaml, operation: create}
          - {name: change, file: ./workflows/change.yaml, operation: update}
          - {name: remove, file: ./workflows/remove.yaml, operation: delete}
        """
            .formatted(number));
    for (String workflow : List.of("make", "change", "remove")) {
      Files.writeString(
          workflows.resolve(workflow + ".yaml"),
          """
          apiVersion: innominatus.io/v1alpha1
          kind: Workflow
          metadata: {name: %s}
          parameters:
            - {name: size, enum: [small, large], default: small}
            - {name: owner, type: string, pattern: '^[a-z]+$'}
          steps:
            - name: prepare
              type: shell
              config:
                script: |
                  set -eu
                  mkdir -p "$SLIPWAY_PROVIDER_DATA"/{{ .parameters.app_name }}
                  echo "OUTPUT_path=$SLIPWAY_PROVIDER_DATA"/{{ .parameters.app_name }}
              outputs: [path]
            - {name: sign-off, type: approval, if: 'parameters.size == "large"', config: {teams: [dba]}}
            - {name: tell, type: http, config: {url: 'http://127.0.0.1/{{ .parameters.resource_name }}'}, retry: {attempts: 4}}
          outputs:
            path: '{{ .steps.prepare.output.path }}'
          """
              .formatted(workflow));
    }
    return home;
  }

  private void touch(int number) throws IOException {
    Path file = directory.resolve("p" + number + "/workflows/make.yaml");
    Files.writeString(file, Files.readString(file) + "# changed\n");
  }

  private static double milliseconds(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return (System.nanoTime() - start) / 1e6;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }

  private static void say(String format, Object... numbers) {
    System.out.printf(Locale.ROOT, format + "%n", numbers);
  }
}
