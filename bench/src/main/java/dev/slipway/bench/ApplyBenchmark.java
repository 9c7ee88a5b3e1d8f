package dev.slipway.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.slipway.engine.threads.Threads;
import dev.slipway.kubernetes.apply.ClusterObjects.Change;
import dev.slipway.kubernetes.apply.WarmCache;
import dev.slipway.kubernetes.apply.WarmCaches;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.health.assess.HealthRules;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Objects applied a second, as steps apply them, beside the same patches by the bare HTTP/2 client
 * of the JDK on the same API server, in turns; then what 5,000 objects cost that nothing changes.
 */
public final class ApplyBenchmark {
  private static final int ROUNDS = 7;
  private static final int OBJECTS = 1_000;
  private static final double GOAL = 0.9;
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** What is done with each object in turn. */
  private enum Act {
    CREATE("a", Change.CREATED),
    UPDATE("b", Change.CHANGED),
    UNCHANGED("b", Change.NONE);

    final String value;
    final Change change;

    Act(String value, Change change) {
      this.value = value;
      this.change = change;
    }
  }

  /** What some applies took, in seconds. */
  private record Took(double seconds, double processor) {
    double rate() {
      return OBJECTS / seconds;
    }
  }

  private final Map<Act, List<Took>> ours = new EnumMap<>(Act.class);
  private final Map<Act, List<Took>> theirs = new EnumMap<>(Act.class);
  private final Cluster cluster;
  private final BareApply bare;
  private final WarmCache warm;

  private ApplyBenchmark(Cluster cluster, BareApply bare, WarmCache warm) {
    this.cluster = cluster;
    this.bare = bare;
    this.warm = warm;
  }

  /** Prints a table. */
  public static void main(String[] arguments) throws Exception {
    Figures figures = new Figures();
    try (BenchCluster plane = new BenchCluster();
        Cluster cluster = plane.client();
        BareApply bare = new BareApply(plane.plane().administrator())) {
      IdleObjects idle = new IdleObjects(cluster, bare);
      idle.before();
      WarmCache warm =
          new WarmCaches(
                  WarmCaches.means(
                      () -> HealthRules.BUILT_IN, InstantSource.system(), Threads.OF_MACHINE))
              .of(cluster);
      ApplyBenchmark applies = new ApplyBenchmark(cluster, bare, warm);
      applies.measure();
      applies.add(figures);
      idle.measure(figures, warm);
    }
    figures.print();
    System.exit(0);
  }

  private void measure() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      SettingsObjects own = new SettingsObjects("slipway-" + round).made(bare);
      for (Act act : Act.values()) {
        took(ours, act, number -> apply(own, number, act));
      }
      SettingsObjects other = new SettingsObjects("bare-" + round).made(bare);
      for (Act act : Act.values()) {
        took(theirs, act, number -> other.apply(bare, number, act.value));
      }
    }
  }

  private void apply(SettingsObjects objects, int number, Act act) throws Exception {
    Change change = objects.apply(cluster, warm, number, act.value);
    if (change != act.change) {
      throw new IllegalStateException(act + " was " + change);
    }
  }

  private static void took(Map<Act, List<Took>> all, Act act, SettingsObjects.One one)
      throws Exception {
    double before = SYSTEM.getProcessCpuTime() / 1e9;
    long start = System.nanoTime();
    SettingsObjects.all(OBJECTS, one);
    double seconds = (System.nanoTime() - start) / 1e9;
    double processor = SYSTEM.getProcessCpuTime() / 1e9 - before;
    all.computeIfAbsent(act, _ -> new ArrayList<>()).add(new Took(seconds, processor));
  }

  private void add(Figures figures) {
    for (Act act : Act.values()) {
      Took our = median(Objects.requireNonNull(ours.get(act)));
      Took their = median(Objects.requireNonNull(theirs.get(act)));
      double ratio = our.rate() / their.rate();
      figures.add(
          "applied a second, " + act.name().toLowerCase(Locale.ROOT),
          shown(our),
          "90 % of the rate",
          "bare client: " + shown(their),
          "%.2f%s".formatted(ratio, ratio < GOAL ? " (missed)" : ""));
    }
  }

  private static String shown(Took took) {
    return "%,.0f/s, %.2f ms of this process's processors"
        .formatted(took.rate(), took.processor() / OBJECTS * 1e3);
  }

  /** The one in the middle; the first two rounds warm up. */
  private static Took median(List<Took> all) {
    Took[] later = all.subList(2, all.size()).toArray(Took[]::new);
    Arrays.sort(later, (a, b) -> Double.compare(a.seconds(), b.seconds()));
    return later[later.length / 2];
  }
}
