package dev.slipway.applications.plan;

import dev.slipway.applications.score.ScorePlaceholder;
import dev.slipway.applications.score.Substitution;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds references to outputs that a workflow which declares its outputs does not declare. */
record Outputs(Offers offers, PlanFindings findings) {
  void check(Wanted wanted, Map<String, KnownResource> known) {
    Map<String, Optional<List<String>>> declared = new HashMap<>();
    for (WantedResource resource : wanted.resources()) {
      declared.put(resource.name(), declared(resource, known.get(resource.identity())));
    }
    if (declared.values().stream().allMatch(Optional::isEmpty)) {
      return;
    }
    for (WantedResource resource : wanted.resources()) {
      if (resource.origin() == WantedResource.Origin.WRITTEN) {
        check(resource.paramsOrEmpty(), resource.path().child("params"), declared);
      }
    }
    check(wanted.workload(), Path.ROOT, declared);
  }

  private Optional<List<String>> declared(WantedResource wanted, @Nullable KnownResource known) {
    Resolution resolution =
        known == null || known.provider() == null
            ? offers.create(wanted.type(), wanted.tags())
            : offers.with(known, Operation.CREATE);
    return resolution instanceof Resolution.Found(var definition, var _)
            && !definition.workflow().outputs().isEmpty()
        ? Optional.of(List.copyOf(new TreeSet<>(definition.workflow().outputs().keySet())))
        : Optional.empty();
  }

  private void check(
      @Nullable Object tree, Path base, Map<String, Optional<List<String>>> declared) {
    for (Substitution.Reference reference : Substitution.references(tree)) {
      if (reference.placeholder() instanceof ScorePlaceholder.Output output) {
        List<String> names =
            declared.getOrDefault(output.resource(), Optional.empty()).orElse(List.of());
        if (!names.isEmpty() && !names.contains(output.name())) {
          findings.error(
              join(base, reference.path()),
              "unknown-output",
              "resource '" + output.resource() + "' has no output '" + output.name() + "'",
              Nearest.hintOrList(output.name(), names));
        }
      }
    }
  }

  private static Path join(Path base, Path rest) {
    List<Object> segments = new java.util.ArrayList<>(base.segments());
    segments.addAll(rest.segments());
    return new Path(segments);
  }
}
