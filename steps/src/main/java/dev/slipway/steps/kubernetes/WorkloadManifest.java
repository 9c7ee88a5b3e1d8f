package dev.slipway.steps.kubernetes;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.workflow.RenderedManifest;
import dev.slipway.kubernetes.apply.RefusedException;
import dev.slipway.kubernetes.workload.ScoreWorkload;
import dev.slipway.kubernetes.workload.Secrecy;
import dev.slipway.kubernetes.workload.WorkloadObjects;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Replaces a workload in the config of a step by the manifest that it means. */
final class WorkloadManifest {
  static final String FIELD = "workload";

  private WorkloadManifest() {}

  /** The call with a manifest; the same one when it has no workload. */
  static StepCall translated(StepCall call, UnaryOperator<String> digest) throws RefusedException {
    Object written = call.config().get(FIELD);
    if (written == null) {
      return call;
    }
    List<RenderedManifest> manifest =
        WorkloadObjects.of(ScoreWorkload.of(written), new Secrecy(call.secrets(), digest)).stream()
            .map(object -> new RenderedManifest(object, Optional.empty()))
            .toList();
    Map<String, Object> config = new LinkedHashMap<>(call.config());
    config.remove(FIELD);
    config.put("manifest", manifest);
    return call.with(config);
  }
}
