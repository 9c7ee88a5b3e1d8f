package dev.slipway.applications.progress;

import dev.slipway.applications.plan.Binding;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.engine.health.GateReason;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Why something is not well: a stable code, a sentence, and what to do. */
public record Reason(String code, String message, @Nullable String hint) {
  /** No provider claims its type. */
  public static final String NO_PROVIDER = "NoProvider";

  /** Several claim its type. */
  public static final String CONFLICT = "Conflict";

  /** Its inputs cannot be put together. */
  public static final String INVALID_INPUT = "InvalidInput";

  /** Its provider does not do what is asked. */
  public static final String NOT_SUPPORTED = "NotSupported";

  /** Its provider's workflow needs a program that the server lacks. */
  public static final String MISSING_PROGRAM = "MissingProgram";

  /** A policy does not allow it. */
  public static final String POLICY = "PolicyRefused";

  /** As stored and shown. */
  public Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("code", code);
    tree.put("message", message);
    if (hint != null) {
      tree.put("hint", hint);
    }
    return tree;
  }

  /** What is recorded against a resource, or at least its state. */
  static Reason of(KnownResource resource) {
    Map<String, Object> reason = resource.reason();
    String state = resource.state().text();
    return reason == null
        ? new Reason(state, "resource '" + resource.name() + "' is " + state, null)
        : new Reason(
            String.valueOf(reason.get("code")),
            String.valueOf(reason.get("message")),
            reason.get("hint") instanceof String hint ? hint : null);
  }

  /** The gate of a resource gave up waiting. */
  static Reason of(KnownResource resource, GateReason gate) {
    return new Reason(
        gate.code().text(),
        gate.detail(),
        "Look at it again when it is mended: slipway resource refresh " + resource.id());
  }

  /** Params refer to something that is not there. */
  static Reason missing(Binding.Bound bound) {
    return new Reason(INVALID_INPUT, String.join("; ", bound.missing()), bound.hint());
  }

  /** No provider offers this operation. */
  static Reason unresolved(Resolution resolution, Operation operation) {
    return switch (resolution) {
      case Resolution.UnknownType(String type, List<String> nearest) ->
          new Reason(
              NO_PROVIDER,
              "no provider for '" + type + "'",
              nearest.isEmpty() ? null : "Did you mean '" + nearest.getFirst() + "'?");
      case Resolution.Conflicted(String type, int _, List<String> claimants) ->
          new Reason(
              CONFLICT,
              "the type '" + type + "' is claimed by " + String.join(" and ", claimants),
              "An operator has to give one of them another precedence: slipway provider conflicts");
      case Resolution.MissingPrograms lacks ->
          new Reason(
              MISSING_PROGRAM,
              lacks.words(),
              "An operator installs it and reloads: slipway provider reload");
      case Resolution.NotSupported(String type, Operation _, List<String> claimants) ->
          new Reason(
              NOT_SUPPORTED,
              String.join(", ", claimants)
                  + " offers no "
                  + operation.text()
                  + " workflow for '"
                  + type
                  + "'",
              null);
      case Resolution.Barred(String type, String provider, String why) ->
          new Reason(
              POLICY, "provider '" + provider + "' of '" + type + "' is refused: " + why, null);
      case Resolution.Found found ->
          throw new IllegalArgumentException("resolved: " + found.definition().provider());
    };
  }
}
