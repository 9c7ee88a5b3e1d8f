package dev.slipway.cli;

import java.util.Map;

/** A verb that also says what is wrong with providers. */
abstract class ProblemsVerb extends Verb {
  void sayProblems(Map<String, Object> reply) {
    for (Map<String, Object> problem : Api.items(reply.get("problems"))) {
      err.println(problem.get("provider") + " is " + problem.get("standing") + ":");
      Api.items(problem.get("diagnostics"))
          .forEach(d -> err.println("  " + ApiProblem.diagnostic(d)));
    }
  }
}
