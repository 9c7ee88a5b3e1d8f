package dev.slipway.applications.plan;

import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.ReservedParameters;
import dev.slipway.engine.plan.UnknownValue;
import dev.slipway.engine.resolve.BackupRule;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.Parameter;
import dev.slipway.engine.workflow.ParameterBinding;
import dev.slipway.engine.workflow.Scope;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a workflow has against the params of a resource, found before anything is accepted. What is
 * not known yet is checked when it is.
 */
record ParameterFindings(PlanFindings findings, SecretBox box) {
  void check(
      WantedResource wanted,
      @Nullable KnownResource known,
      Operation operation,
      Resolution.Definition definition,
      Map<String, @Nullable Object> bound) {
    if (wanted.origin() == WantedResource.Origin.IMPLICIT) {
      return;
    }
    reserved(wanted, definition);
    undeclared(wanted, definition);
    Set<String> later = new HashSet<>();
    Map<String, Object> params = new HashMap<>();
    bound.forEach(
        (name, value) -> {
          if (waits(value)) {
            later.add(name);
          } else {
            params.put(name, box.openLeaves(value));
          }
        });
    Map<String, Object> outputs =
        operation == Operation.CREATE || known == null
            ? Map.of()
            : Values.map(box.openLeaves(known.outputs()));
    Map<String, Object> injected = new HashMap<>();
    ParameterBinding.INJECTED.forEach(name -> injected.put(name, "x"));
    injected.put("operation", operation.text());
    ParameterBinding.Bound result =
        ParameterBinding.bind(
            definition.workflow(),
            new ParameterBinding.Sources(params, injected, outputs, ParameterBinding.Words.STRICT),
            Scope.forBinding(Map.of(), outputs, definition.configuration(), Instant.EPOCH));
    for (ParameterBinding.Problem problem : result.problems()) {
      boolean supplied = bound.containsKey(problem.parameter());
      // A default is rendered from values that are only known when the run begins.
      boolean certain = supplied || problem.code().equals("missing-parameter");
      if (certain && !later.contains(problem.parameter())) {
        report(wanted, problem);
      }
    }
  }

  private void report(WantedResource wanted, ParameterBinding.Problem problem) {
    Path params = wanted.path().child("params");
    findings.error(
        wanted.params() == null ? wanted.path() : params.child(problem.parameter()),
        problem.code(),
        problem.message(),
        problem.hint());
  }

  private static Set<String> declared(Resolution.Definition definition) {
    return definition.workflow().parameters().stream()
        .map(Parameter::name)
        .collect(Collectors.toSet());
  }

  /**
   * Refuses what only the engine may set. Intake refuses the identity already; a revision that an
   * earlier version accepted reaches this place without passing there.
   */
  private void reserved(WantedResource wanted, Resolution.Definition definition) {
    Set<String> declared = declared(definition);
    for (String param : new TreeSet<>(wanted.paramsOrEmpty().keySet())) {
      Path at = wanted.path().child("params").child(param);
      if (ReservedParameters.IDENTITY.contains(param)) {
        findings.error(
            at,
            ReservedParameters.CODE,
            ReservedParameters.message(param),
            ReservedParameters.hint(param));
      } else if (ReservedParameters.PROPOSED.contains(param) && !declared.contains(param)) {
        findings.error(
            at,
            ReservedParameters.CODE,
            "the engine sets '"
                + param
                + "'; a document can set it only where the workflow declares it, and '"
                + definition.workflow().name()
                + "' does not",
            ReservedParameters.hint(param));
      }
    }
  }

  private void undeclared(WantedResource wanted, Resolution.Definition definition) {
    Set<String> declared = declared(definition);
    for (String param : new TreeSet<>(wanted.paramsOrEmpty().keySet())) {
      if (!declared.contains(param) && !ParameterBinding.INJECTED.contains(param)) {
        findings.warning(
            wanted.path().child("params").child(param),
            "undeclared-parameter",
            "the workflow '"
                + definition.workflow().name()
                + "' declares no parameter '"
                + param
                + "'",
            Nearest.hint(param, declared));
      }
    }
  }

  private static boolean waits(@Nullable Object value) {
    return switch (value) {
      case UnknownValue _ -> true;
      case Map<?, ?> map -> map.values().stream().anyMatch(ParameterFindings::waits);
      case List<?> list -> list.stream().anyMatch(ParameterFindings::waits);
      case null, default -> false;
    };
  }

  /** Refuses params that turn backups off. */
  void backups(WantedResource wanted) {
    for (Path off : BackupRule.turnedOff(wanted.paramsOrEmpty())) {
      findings.error(
          wanted.path().child("params").descend(off),
          "backups-required",
          "the policy " + BackupRule.POLICY + " does not allow backups to be turned off",
          "Remove it, or turn it on.");
    }
  }
}
