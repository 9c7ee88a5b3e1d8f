package dev.slipway.postgres.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What is played: so many replicas, so many runs of one workflow, which may call another, and what
 * goes wrong when. The seed decides everything else. Printed, it reads as a workflow and a list.
 */
record Scenario(
    long seed,
    int replicas,
    int runs,
    List<Plan> main,
    List<Plan> called,
    List<Fault> faults,
    int storeFaults) {

  private static final int[] SOONEST = {1, 12_000, 90_000};

  /** What a step does. */
  enum Kind {
    WORK,
    WAIT,
    ASK,
    CALL
  }

  /** One step; {@code after} is null for all that come before it. */
  record Plan(
      String name,
      Kind kind,
      @Nullable List<String> after,
      String when,
      boolean skipped,
      int attempts,
      String onError,
      boolean undo) {

    String yaml() {
      String type =
          switch (kind) {
            case WORK -> "type: work";
            case WAIT -> "type: wait";
            case ASK -> "type: approval";
            case CALL -> "workflow: called";
          };
      StringBuilder text = new StringBuilder("  - {name: " + name + ", " + type);
      if (after != null) {
        text.append(", dependsOn: ").append(after);
      }
      if (!when.equals("on_success")) {
        text.append(", when: ").append(when);
      }
      if (skipped) {
        text.append(", if: 'false'");
      }
      if (attempts > 1) {
        text.append(", retry: {attempts: ").append(attempts).append(", delay: 4s}");
      }
      if (onError.equals("rollback+")) {
        text.append(
            ", on_error: {action: rollback, rollback_steps: [{name: own-"
                + name
                + ", type: work}]}");
      } else if (!onError.equals("fail")) {
        text.append(", on_error: ").append(onError);
      }
      if (undo) {
        text.append(", compensate: [{name: undo-" + name + ", type: work}]");
      }
      return text.append("}\n").toString();
    }

    Plan plain() {
      return new Plan(name, Kind.WORK, after, "on_success", false, 1, "fail", false);
    }

    Plan without(String step) {
      List<String> left =
          after == null ? null : after.stream().filter(a -> !a.equals(step)).toList();
      return new Plan(name, kind, left, when, skipped, attempts, onError, undo);
    }
  }

  /** What goes wrong, or is decided by people, so many milliseconds after the start. */
  record Fault(int at, What what, int whom, int lasts) {
    /** Which. */
    enum What {
      CRASH,
      FREEZE,
      DATABASE_AWAY,
      WAKE_UPS_LOST,
      CANCEL,
      FORCE,
      GRANT,
      REJECT
    }

    @Override
    public String toString() {
      return "after %d ms: %s of %d for %d ms".formatted(at, what, whom, lasts);
    }
  }

  static Scenario of(long seed) {
    Random random = new Random(seed * 7919 + 17);
    boolean calls = random.nextInt(3) == 0;
    List<Plan> called = calls ? steps(random, 1 + random.nextInt(3), false) : List.of();
    List<Plan> main = steps(random, 1 + random.nextInt(6), calls);
    int replicas = 1 + random.nextInt(3);
    int runs = 1 + random.nextInt(2);
    List<Fault> faults = new ArrayList<>();
    int count = random.nextInt(7);
    for (int i = 0; i < count; i++) {
      Fault.What what = Fault.What.values()[random.nextInt(Fault.What.values().length)];
      int lasts = 200 + random.nextInt(random.nextBoolean() ? 5_000 : 70_000);
      // Many runs are over soon.
      int at = random.nextInt(SOONEST[random.nextInt(SOONEST.length)]);
      faults.add(new Fault(at, what, random.nextInt(4), lasts));
    }
    boolean asks = main.stream().anyMatch(s -> s.kind() == Kind.ASK || s.when().equals("manual"));
    if (asks && random.nextInt(4) > 0) {
      int at = random.nextInt(120_000);
      faults.add(new Fault(at, Fault.What.GRANT, random.nextInt(runs), 0));
    }
    return new Scenario(
        seed, replicas, runs, main, called, faults, random.nextInt(3) == 0 ? 60 : 0);
  }

  private static List<Plan> steps(Random random, int count, boolean calls) {
    List<Plan> steps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      steps.add(step(random, steps, calls));
    }
    return steps;
  }

  private static Plan step(Random random, List<Plan> before, boolean calls) {
    List<String> after = null;
    if (random.nextInt(2) == 0) {
      after = before.stream().map(Plan::name).filter(n -> random.nextBoolean()).toList();
    }
    Kind kind =
        switch (random.nextInt(10)) {
          case 0 -> Kind.WAIT;
          case 1 -> Kind.ASK;
          case 2, 3, 4 -> calls ? Kind.CALL : Kind.WORK;
          default -> Kind.WORK;
        };
    String when =
        switch (random.nextInt(12)) {
          case 0, 1 -> "always";
          case 2, 3 -> "on_failure";
          case 4 -> kind == Kind.ASK ? "on_success" : "manual";
          default -> "on_success";
        };
    String onError =
        switch (random.nextInt(6)) {
          case 0 -> "continue";
          case 1 -> "rollback";
          case 2 -> "rollback+";
          default -> "fail";
        };
    return new Plan(
        "s" + before.size(),
        kind,
        after,
        when,
        random.nextInt(10) == 0,
        random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 1,
        onError,
        random.nextInt(5) < 2);
  }

  static String source(String name, List<Plan> steps) {
    return "apiVersion: innominatus.io/v1alpha1\nkind: Workflow\nmetadata: {name: "
        + name
        + "}\nsteps:\n"
        + steps.stream().map(Plan::yaml).collect(Collectors.joining());
  }

  /** Smaller ones that may fail in the same way, the much smaller first. */
  List<Scenario> smaller() {
    List<Scenario> smaller = new ArrayList<>();
    if (!faults.isEmpty()) {
      smaller.add(with(replicas, runs, main, called, List.of(), storeFaults));
      smaller.add(
          with(replicas, runs, main, called, faults.subList(0, faults.size() / 2), storeFaults));
    }
    if (storeFaults > 0) {
      smaller.add(with(replicas, runs, main, called, faults, 0));
    }
    if (runs > 1) {
      smaller.add(with(replicas, 1, main, called, faults, storeFaults));
    }
    if (replicas > 1) {
      smaller.add(with(replicas - 1, runs, main, called, faults, storeFaults));
    }
    fewer(main).forEach(m -> smaller.add(with(replicas, runs, m, called, faults, storeFaults)));
    fewer(called).forEach(c -> smaller.add(with(replicas, runs, main, c, faults, storeFaults)));
    for (Fault fault : faults) {
      List<Fault> left = faults.stream().filter(f -> f != fault).toList();
      smaller.add(with(replicas, runs, main, called, left, storeFaults));
    }
    return smaller;
  }

  private static List<List<Plan>> fewer(List<Plan> steps) {
    List<List<Plan>> fewer = new ArrayList<>();
    for (Plan step : steps) {
      if (steps.size() > 1) {
        fewer.add(steps.stream().filter(s -> s != step).map(s -> s.without(step.name())).toList());
      }
      if (!step.plain().equals(step)) {
        fewer.add(steps.stream().map(s -> s == step ? step.plain() : s).toList());
      }
    }
    return fewer;
  }

  private Scenario with(
      int replicas,
      int runs,
      List<Plan> main,
      List<Plan> called,
      List<Fault> faults,
      int storeFaults) {
    return new Scenario(seed, replicas, runs, main, called, faults, storeFaults);
  }

  boolean calls() {
    return main.stream().anyMatch(s -> s.kind() == Kind.CALL);
  }

  @Override
  public String toString() {
    String text =
        "seed "
            + seed
            + ": "
            + replicas
            + " replica(s), "
            + runs
            + " run(s) of\n"
            + main.stream().map(Plan::yaml).collect(Collectors.joining());
    if (calls()) {
      text += "which calls\n" + called.stream().map(Plan::yaml).collect(Collectors.joining());
    }
    if (storeFaults > 0) {
      text += "the store fails " + storeFaults + " times in 1000\n";
    }
    return text
        + IntStream.range(0, faults.size())
            .mapToObj(i -> "  " + faults.get(i))
            .collect(Collectors.joining("\n"));
  }
}
