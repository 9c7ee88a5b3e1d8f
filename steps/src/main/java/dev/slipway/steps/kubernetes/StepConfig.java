package dev.slipway.steps.kubernetes;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.kubernetes.apply.ClusterObjects.Adoption;
import dev.slipway.kubernetes.apply.ClusterObjects.Conflicts;
import dev.slipway.kubernetes.apply.IgnoredFields;
import dev.slipway.kubernetes.apply.Propagation;
import dev.slipway.kubernetes.apply.RefusedException;
import dev.slipway.kubernetes.apply.Stamp;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The rendered fields of a step. */
record StepConfig(StepCall call) {
  Optional<String> text(String field) {
    return Optional.ofNullable(call.config().get(field))
        .map(value -> String.valueOf(value).strip())
        .filter(value -> !value.isEmpty());
  }

  String required(String field) throws RefusedException {
    return text(field)
        .orElseThrow(
            () ->
                RefusedException.last(
                    "invalid-config",
                    "operation " + text("operation").orElse("") + " needs '" + field + "'",
                    "Add it to the step."));
  }

  private boolean flag(String field, boolean otherwise) {
    return text(field).map("true"::equals).orElse(otherwise);
  }

  Conflicts conflicts() {
    return text("conflicts").filter("force"::equals).isPresent() ? Conflicts.FORCE : Conflicts.FAIL;
  }

  Adoption adoption() {
    return flag("adopt", false) ? Adoption.ASKED : Adoption.REFUSED;
  }

  Propagation propagation() {
    return text("propagation")
        .map(word -> Propagation.valueOf(word.toUpperCase(Locale.ROOT)))
        .orElse(Propagation.FOREGROUND);
  }

  boolean waits() {
    return flag("wait", true);
  }

  IgnoredFields ignored() throws RefusedException {
    return call.config().get("ignoreFields") instanceof List<?> list
        ? IgnoredFields.of(list)
        : IgnoredFields.NONE;
  }

  /** The stamp of the resource; runs without one share objects with those of their provider. */
  Stamp stamp() {
    StepCall.Scope scope = call.scope();
    return new Stamp(
        scope.resource() == null
            ? scope.team() + "/" + scope.environment() + "/" + scope.provider()
            : scope.resource().toString(),
        scope.team(),
        scope.root() == null ? "" : scope.root().name(),
        scope.environment(),
        scope.provider());
  }
}
