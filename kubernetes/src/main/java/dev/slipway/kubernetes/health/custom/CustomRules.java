package dev.slipway.kubernetes.health.custom;

import dev.slipway.kubernetes.health.LiveObject;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Rules of one source, the one that goes first at the beginning: rules for one object, then exact
 * kinds, then patterns by how much of them is no wildcard, then by name.
 */
public record CustomRules(List<CustomRule> rules) {
  public static final CustomRules NONE = new CustomRules(List.of());

  private static final Comparator<CustomRule> PRECEDENCE =
      Comparator.comparing((CustomRule rule) -> rule.objectName().isEmpty())
          .thenComparing(rule -> !rule.pattern().isExact())
          .thenComparing(rule -> -rule.pattern().literals())
          .thenComparing(CustomRule::source);

  public CustomRules {
    rules = rules.stream().sorted(PRECEDENCE).toList();
  }

  /** The rule for this object. */
  public Optional<CustomRule> find(LiveObject object) {
    return rules.stream()
        .filter(rule -> rule.pattern().matches(object.groupKind()))
        .filter(rule -> rule.objectName().map(object.name()::equals).orElse(true))
        .findFirst();
  }
}
