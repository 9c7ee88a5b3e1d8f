package dev.slipway.kubernetes.health.assess;

import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.health.GroupKind;
import dev.slipway.kubernetes.health.HealthRule;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.MalformedObjectException;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import dev.slipway.kubernetes.health.builtin.BuiltInRules;
import dev.slipway.kubernetes.health.builtin.GenericRule;
import dev.slipway.kubernetes.health.custom.CustomRule;
import dev.slipway.kubernetes.health.custom.CustomRules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All rules in the order in which they are asked: custom ones source by source, then the built-in
 * rule of the kind, then the generic one. The first rule for an object is the only one it gets.
 */
public record HealthRules(List<CustomRules> custom) {
  private static final GroupKind SECRET = new GroupKind("", "Secret");
  private static final String HOOK_FINALIZER = "argocd.argoproj.io/hook-finalizer";
  private static final List<String> HIDDEN_FIELDS = List.of("data", "stringData");

  /** The rules that need no configuration. */
  public static final HealthRules BUILT_IN = new HealthRules(List.of());

  public HealthRules {
    custom = List.copyOf(custom);
  }

  private record Chosen(HealthRule rule, String name) {}

  public RuleVerdict judge(LiveObject object, Neighbours others) {
    try {
      if (isBeingDeleted(object)) {
        return new RuleVerdict(
            Optional.of(ObjectHealth.progressing("it is being deleted")), "deletion");
      }
      LiveObject shown = withoutSecrets(object);
      Chosen chosen = choose(shown);
      return judge(chosen, shown, others);
    } catch (MalformedObjectException e) {
      return new RuleVerdict(Optional.of(unreadable(e)), "deletion");
    }
  }

  private static RuleVerdict judge(Chosen chosen, LiveObject object, Neighbours others) {
    try {
      Optional<ObjectHealth> health = chosen.rule().judge(object, others);
      boolean none = health.isEmpty() && chosen.name().equals("generic");
      return new RuleVerdict(health, none ? "none" : chosen.name());
    } catch (MalformedObjectException e) {
      return new RuleVerdict(Optional.of(unreadable(e)), chosen.name());
    }
  }

  private static ObjectHealth unreadable(MalformedObjectException e) {
    return ObjectHealth.unknown("the object is malformed: " + e.getMessage());
  }

  private Chosen choose(LiveObject object) {
    for (CustomRules source : custom) {
      Optional<CustomRule> found = source.find(object);
      if (found.isPresent()) {
        return new Chosen(found.get().rule(), found.get().source());
      }
    }
    return BuiltInRules.find(object)
        .map(rule -> new Chosen(rule, object.kind()))
        .orElseGet(() -> new Chosen(GenericRule::judge, "generic"));
  }

  private static boolean isBeingDeleted(LiveObject object) {
    return object.has("metadata", "deletionTimestamp")
        && !object.list("metadata", "finalizers").contains(HOOK_FINALIZER);
  }

  /** Rules and their messages never see what a Secret holds. */
  private static LiveObject withoutSecrets(LiveObject object) {
    if (!object.groupKind().equals(SECRET)) {
      return object;
    }
    Map<String, Object> shown = new LinkedHashMap<>(object.fields());
    HIDDEN_FIELDS.forEach(shown::remove);
    if (shown.get("metadata") instanceof Map<?, ?> metadata) {
      // kubectl keeps a copy of the whole object in an annotation.
      Map<String, Object> rest = new LinkedHashMap<>(Values.map(metadata));
      rest.remove("annotations");
      shown.put("metadata", rest);
    }
    return new LiveObject(shown);
  }
}
