package dev.slipway.applications.progress;

import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.RecordedIdentity;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.intake.ReservedParameters;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.NamespaceTemplate;
import dev.slipway.engine.workflow.ParameterBinding;
import dev.slipway.engine.workflow.Scope;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parameters that a run starts with: resource params, the parameters that every run gets, for
 * update and delete the outputs so far, and declared defaults. Secrets are opened for that and
 * sealed again, and a value that embeds a secret is sealed too.
 */
record RunParameters(Situation situation, SecretBox box) {
  /** Bound values, or why there are none. */
  sealed interface Result {
    record Bound(Map<String, @Nullable Object> values) implements Result {}

    record Refused(Reason reason) implements Result {}
  }

  Result bind(
      KnownResource resource,
      Operation operation,
      Resolution.Definition definition,
      Map<String, @Nullable Object> params) {
    return switch (namespace()) {
      case NamespaceTemplate.Result.Name(String namespace) ->
          bind(resource, operation, definition, params, namespace);
      case NamespaceTemplate.Result.Wrong(Position at, String message, String hint) ->
          new Result.Refused(
              new Reason(
                  Reason.INVALID_INPUT,
                  "namespaceTemplate of the environment '"
                      + situation.environment()
                      + "', "
                      + at
                      + ": "
                      + message,
                  hint));
    };
  }

  private NamespaceTemplate.Result namespace() {
    String template = situation.namespaceTemplate();
    return template == null
        ? new NamespaceTemplate.Result.Name(situation.name() + "-" + situation.environment())
        : NamespaceTemplate.render(
            template, situation.name(), situation.environment(), situation.team());
  }

  private Result bind(
      KnownResource resource,
      Operation operation,
      Resolution.Definition definition,
      Map<String, @Nullable Object> stored,
      String namespace) {
    // Specs that an earlier version accepted may hold names of the identity.
    Map<String, @Nullable Object> asked = ReservedParameters.without(stored);
    RecordedIdentity recorded =
        operation == Operation.CREATE && !resource.everStarted()
            ? RecordedIdentity.NONE
            : new RecordedIdentity(resource.identifying(definition.workflow()));
    List<String> changed = recorded.changed(definition.workflow(), asked);
    if (!changed.isEmpty() && operation != Operation.DELETE && operation != Operation.READ) {
      return new Result.Refused(
          new Reason(
              Reason.INVALID_INPUT,
              RecordedIdentity.CODE + ": " + RecordedIdentity.message(changed),
              RecordedIdentity.hint(resource.name())));
    }
    Map<String, @Nullable Object> params = recorded.without(asked);
    Map<String, @Nullable Object> outputs =
        operation == Operation.CREATE ? Map.of() : resource.outputs();
    Scope scope =
        Scope.forBinding(
            Values.map(box.openLeaves(Map.of("environment", environment(situation)))),
            Values.map(box.openLeaves(outputs)),
            definition.configuration(),
            Instant.EPOCH);
    ParameterBinding.Bound bound =
        ParameterBinding.bind(
            definition.workflow(),
            new ParameterBinding.Sources(
                Values.map(box.openLeaves(params)),
                recorded.over(injected(resource, operation, namespace)),
                Values.map(box.openLeaves(outputs)),
                ParameterBinding.Words.STRICT),
            scope);
    if (!bound.problems().isEmpty()) {
      return new Result.Refused(reason(bound.problems()));
    }
    return new Result.Bound(new SealedParameters(box).of(bound, params, outputs));
  }

  static Map<String, Object> environment(Situation situation) {
    Map<String, Object> environment = new LinkedHashMap<>();
    environment.put("name", situation.environment());
    environment.put("type", situation.environmentType());
    environment.put("variables", situation.variables());
    return environment;
  }

  private Map<String, Object> injected(
      KnownResource resource, Operation operation, String namespace) {
    String app = situation.name();
    Map<String, Object> injected = new LinkedHashMap<>();
    injected.put("app_name", app);
    injected.put("resource_name", resource.name());
    injected.put("resource_type", resource.type());
    injected.put("resource_class", resource.resourceClass());
    injected.put("resource_id", resource.id().toString());
    injected.put("environment", situation.environment());
    injected.put("team_id", situation.team());
    injected.put("namespace", namespace);
    injected.put("bucket_name", app + "-" + resource.name());
    injected.put("operation", operation.text());
    return injected;
  }

  private static Reason reason(List<ParameterBinding.Problem> problems) {
    return new Reason(
        Reason.INVALID_INPUT,
        problems.stream().map(p -> p.code() + ": " + p.message()).collect(Collectors.joining("; ")),
        problems.getFirst().hint());
  }
}
