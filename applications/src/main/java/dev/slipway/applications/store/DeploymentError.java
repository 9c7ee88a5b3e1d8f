package dev.slipway.applications.store;

import dev.slipway.applications.progress.Decision;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What failed at a deployment. */
final class DeploymentError {
  private DeploymentError() {}

  /** The first problem, and all of them. */
  static Map<String, @Nullable Object> of(Decision decision) {
    Map<String, @Nullable Object> error = new LinkedHashMap<>();
    if (!decision.problems().isEmpty()) {
      Decision.Problem first = decision.problems().getFirst();
      error.put("code", first.reason().code());
      error.put("message", first.subject() + ": " + first.reason().message());
      if (first.reason().hint() != null) {
        error.put("hint", first.reason().hint());
      }
    }
    List<Object> all = new ArrayList<>();
    for (Decision.Problem problem : decision.problems()) {
      Map<String, Object> tree = new LinkedHashMap<>();
      tree.put("subject", problem.subject());
      tree.putAll(problem.reason().tree());
      all.add(tree);
    }
    error.put("problems", all);
    return error;
  }
}
