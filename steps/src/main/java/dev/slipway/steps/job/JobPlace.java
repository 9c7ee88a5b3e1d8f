package dev.slipway.steps.job;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.value.Sha256;
import dev.slipway.kubernetes.apply.ObjectRef;
import dev.slipway.kubernetes.apply.Stamp;
import dev.slipway.kubernetes.cluster.ApiKind;
import dev.slipway.kubernetes.cluster.ApiKind.Scope;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The names of the Job of one attempt: the same for every replica, so that there is only one. */
record JobPlace(String namespace, StepCall call) {
  private static final ApiKind JOB = new ApiKind("batch/v1", "Job", "jobs", Scope.NAMESPACED);
  private static final ApiKind SECRET = new ApiKind("v1", "Secret", "secrets", Scope.NAMESPACED);
  private static final ApiKind MAP = new ApiKind("v1", "ConfigMap", "configmaps", Scope.NAMESPACED);
  private static final ApiKind PODS = new ApiKind("v1", "Pod", "pods", Scope.NAMESPACED);
  private static final ApiKind EVENTS = new ApiKind("v1", "Event", "events", Scope.NAMESPACED);

  /** The annotation that says which attempt of which step of which run it is. */
  static final String KEY = Stamp.PREFIX + "idempotency-key";

  String name() {
    return "slipway-step-" + Sha256.hex(call.key()).substring(0, 32);
  }

  ObjectRef job() {
    return ref(JOB);
  }

  ObjectRef secret() {
    return ref(SECRET);
  }

  ObjectRef files() {
    return ref(MAP);
  }

  private ObjectRef ref(ApiKind kind) {
    return new ObjectRef(kind, Optional.of(namespace), name());
  }

  String all(ObjectRef ref) {
    return ref.kind().path(ref.namespace());
  }

  String pods() {
    return PODS.path(Optional.of(namespace));
  }

  String events() {
    return EVENTS.path(Optional.of(namespace));
  }

  Map<String, Object> labels() {
    Map<String, Object> labels = new LinkedHashMap<>();
    labels.put("app.kubernetes.io/managed-by", "slipway");
    labels.put(Stamp.PREFIX + "run", call.run().toString());
    return labels;
  }

  Map<String, Object> annotations() {
    StepCall.Scope scope = call.scope();
    Map<String, Object> annotations = new LinkedHashMap<>();
    annotations.put(KEY, call.key());
    annotations.put(Stamp.TEAM, scope.team());
    annotations.put(Stamp.PREFIX + "environment", scope.environment());
    annotations.put(Stamp.PREFIX + "provider", scope.provider());
    annotations.put(Stamp.PREFIX + "step", call.step().name());
    if (scope.root() != null) {
      annotations.put(Stamp.PREFIX + "application", scope.root().name());
    }
    return annotations;
  }
}
