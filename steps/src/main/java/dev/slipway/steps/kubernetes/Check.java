package dev.slipway.steps.kubernetes;

import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.health.Health;
import dev.slipway.kubernetes.apply.ClusterObject;
import dev.slipway.kubernetes.apply.Comparison;
import dev.slipway.kubernetes.apply.IgnoredFields;
import dev.slipway.kubernetes.apply.Manifest;
import dev.slipway.kubernetes.apply.RefusedException;
import dev.slipway.kubernetes.apply.RefusedException.Outlook;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import dev.slipway.kubernetes.health.assess.HealthRules;
import dev.slipway.kubernetes.health.assess.ObjectAggregate;
import dev.slipway.kubernetes.health.assess.ObjectAggregate.Expected;
import dev.slipway.kubernetes.health.assess.ObjectAggregate.Live;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A look at the objects of manifests, which changes nothing and waits for nothing: a look that
 * fails is made again by the schedule. It succeeds when all are there, as they were applied, and
 * healthy.
 */
final class Check {
  private static final Set<String> NOT_THERE = Set.of("unknown-kind", "namespace-missing");

  private final KubernetesCall step;
  private final IgnoredFields ignored;
  private final HealthRules rules;
  private final List<String> missing = new ArrayList<>();
  private final List<String> changes = new ArrayList<>();
  private final List<Expected> found = new ArrayList<>();

  Check(KubernetesCall step, IgnoredFields ignored, HealthRules rules) {
    this.step = step;
    this.ignored = ignored;
    this.rules = rules;
  }

  Result result() throws RefusedException, InterruptedException {
    try {
      for (Manifest manifest : step.plan(step.documents())) {
        look(manifest);
      }
    } catch (ClusterDownException e) {
      return failed("cluster-down", String.valueOf(e.getMessage()));
    } catch (RefusedException e) {
      if (NOT_THERE.contains(e.error().code())) {
        return failed(StepError.MISSING, e.error().message());
      }
      throw e.outlook() == Outlook.FINAL ? e : new RefusedException(e.error(), Outlook.FINAL);
    }
    if (!missing.isEmpty()) {
      return failed(StepError.MISSING, "there is no " + String.join(", no ", missing));
    }
    return changes.isEmpty() ? health() : failed(StepError.DRIFT, String.join("; ", changes));
  }

  private void look(Manifest manifest)
      throws RefusedException, ClusterDownException, InterruptedException {
    Comparison seen = Comparison.of(step.objects(manifest.ref()), manifest, ignored);
    String name = manifest.ref().toString();
    if (seen.live().isEmpty()) {
      missing.add(name);
      return;
    }
    seen.changes().forEach(change -> changes.add(name + ": " + change));
    ClusterObject live = seen.live().get();
    step.outputs().add(manifest.ref(), live);
    LiveObject object = new LiveObject(live.content());
    found.add(
        new Expected(name, Optional.of(new Live(object, rules.judge(object, Neighbours.NONE)))));
  }

  private Result health() {
    List<Expected> judged = found.stream().filter(each -> health(each).isPresent()).toList();
    // What has no health is there, and that is all that can be said of it.
    Health worst = judged.isEmpty() ? Health.HEALTHY : ObjectAggregate.of(judged).status();
    return switch (worst) {
      case HEALTHY -> step.succeeded();
      case PROGRESSING -> failed(StepError.PROGRESSING, words(judged));
      case SUSPENDED -> failed(StepError.SUSPENDED, words(judged));
      case DEGRADED, MISSING, FAILED -> failed(StepError.DEGRADED, words(judged));
      case UNKNOWN -> failed("health-unknown", words(judged));
    };
  }

  private static Optional<ObjectHealth> health(Expected each) {
    return each.live().flatMap(live -> live.judgement().health());
  }

  private static String words(List<Expected> judged) {
    List<String> words = new ArrayList<>();
    for (Expected each : judged) {
      health(each)
          .filter(health -> health.status() != Health.HEALTHY)
          .ifPresent(
              health ->
                  words.add(
                      each.name()
                          + " is "
                          + health.status().text()
                          + (health.message().isEmpty() ? "" : ": " + health.message())));
    }
    return String.join("; ", words);
  }

  private Result failed(String code, String message) {
    return new Result.Failed(step.masked(StepError.permanent(code, message, null)), Map.of());
  }
}
