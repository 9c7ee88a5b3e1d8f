package dev.slipway.engine.execute;

import dev.slipway.engine.workflow.Workflow;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Outputs of steps that are secret because a secret output of the workflow is made of them. The
 * step does not declare them as secrets, but its log and its outputs must mask them too.
 */
final class SecretOutputs {
  private static final Pattern OUTPUT =
      Pattern.compile("steps\\.([A-Za-z0-9_-]+)\\.outputs?\\.([A-Za-z0-9_-]+)");
  private static final Pattern SHORT =
      Pattern.compile("\\$\\{([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]+)}");

  private final Map<String, Set<String>> byStep;

  private SecretOutputs(Map<String, Set<String>> byStep) {
    this.byStep = byStep;
  }

  static SecretOutputs of(Workflow workflow) {
    Map<String, Set<String>> byStep = new HashMap<>();
    for (Workflow.Output output : workflow.outputs().values()) {
      if (output.secrecy() == Workflow.Secrecy.SECRET) {
        String written = String.valueOf(output.value());
        collect(OUTPUT.matcher(written), byStep);
        collect(SHORT.matcher(written), byStep);
      }
    }
    return new SecretOutputs(byStep);
  }

  private static void collect(Matcher found, Map<String, Set<String>> byStep) {
    while (found.find()) {
      byStep.computeIfAbsent(found.group(1), step -> new HashSet<>()).add(found.group(2));
    }
  }

  Set<String> of(String step) {
    return byStep.getOrDefault(step, Set.of());
  }
}
