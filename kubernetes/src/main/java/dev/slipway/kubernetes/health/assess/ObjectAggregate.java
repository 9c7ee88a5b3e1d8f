package dev.slipway.kubernetes.health.assess;

import dev.slipway.engine.health.Aggregate;
import dev.slipway.engine.health.Health;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The health of a node that consists of objects: the worst of theirs. */
public final class ObjectAggregate {
  private static final int MOST_NAMED = 3;
  private static final String IGNORE = "argocd.argoproj.io/ignore-healthcheck";
  private static final List<String> HOOKS = List.of("argocd.argoproj.io/hook", "helm.sh/hook");

  private record Counted(String name, Health health) {}

  private ObjectAggregate() {}

  /**
   * An object that should be there.
   *
   * @param live empty when it was looked for and is not there
   */
  public record Expected(String name, Optional<Live> live) {}

  /** An object that is there, and what the rules say about it. */
  public record Live(LiveObject object, RuleVerdict verdict) {}

  /** Hooks, ignored objects and those without health are left out; without others it is Unknown. */
  public static ObjectHealth of(List<Expected> objects) {
    List<Counted> counted = new ArrayList<>();
    for (Expected each : objects) {
      if (each.live().isEmpty()) {
        counted.add(new Counted(each.name(), Health.MISSING));
      } else if (!isLeftOut(each.live().get().object())) {
        each.live()
            .get()
            .verdict()
            .health()
            .ifPresent(health -> counted.add(new Counted(each.name(), health.status())));
      }
    }
    Health worst = Aggregate.worstOf(counted.stream().map(Counted::health).toList());
    return new ObjectHealth(worst, message(counted, worst));
  }

  private static boolean isLeftOut(LiveObject object) {
    return object.annotation(IGNORE).equals("true")
        || HOOKS.stream().anyMatch(hook -> !object.annotation(hook).isEmpty());
  }

  private static String message(List<Counted> counted, Health worst) {
    if (counted.isEmpty()) {
      return "no object has a health";
    }
    if (worst == Health.HEALTHY) {
      return "";
    }
    List<Counted> named =
        counted.stream()
            .filter(
                each ->
                    Aggregate.worstOf(List.of(each.health(), Health.HEALTHY)) == worst
                        || each.health() == worst)
            .toList();
    String text =
        named.stream()
            .limit(MOST_NAMED)
            .map(each -> each.name() + " is " + each.health().text())
            .collect(Collectors.joining(", "));
    int more = named.size() - MOST_NAMED;
    return more > 0 ? text + " and " + more + " more" : text;
  }
}
