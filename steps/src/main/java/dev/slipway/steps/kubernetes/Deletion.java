package dev.slipway.steps.kubernetes;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.kubernetes.apply.Manifest;
import dev.slipway.kubernetes.apply.ObjectRef;
import dev.slipway.kubernetes.apply.RefusedException;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Deletes what a step names, in the reverse of the order in which it was applied. */
final class Deletion {
  /** Kinds whose objects hold data of others; they go only when a step names the one object. */
  private static final Set<String> HOLDERS =
      Set.of(
          "Namespace",
          "PersistentVolumeClaim",
          "PersistentVolume",
          "CustomResourceDefinition.apiextensions.k8s.io");

  private final Cluster cluster;
  private final StepCall call;
  private final StepConfig config;
  private final KubernetesCall step;

  Deletion(Cluster cluster, StepCall call, StepConfig config, KubernetesCall step) {
    this.cluster = cluster;
    this.call = call;
    this.config = config;
    this.step = step;
  }

  Result result() throws RefusedException, ClusterDownException, InterruptedException {
    List<ObjectRef> left = new ArrayList<>();
    List<ObjectRef> refs = refs();
    for (ObjectRef ref : refs) {
      step.objects(ref).require(ref);
    }
    for (ObjectRef ref : refs) {
      if (step.objects(ref).delete(ref, config.propagation())) {
        left.add(ref);
      }
      step.note(ref + (left.contains(ref) ? ": is being deleted" : ": gone"));
    }
    if (!left.isEmpty() && config.waits()) {
      return step.parked(left.getFirst() + " to be gone", left.size() + " left");
    }
    refs.forEach(step.outputs()::gone);
    step.outputs().changed();
    return step.succeeded();
  }

  private List<ObjectRef> refs()
      throws RefusedException, ClusterDownException, InterruptedException {
    if (config.text("name").isPresent() && config.text("kind").isPresent()) {
      ObjectRef ref = step.named();
      if (holder(ref)) {
        new HolderDeletion(cluster, call, step).check(ref);
      }
      return List.of(ref);
    }
    List<ObjectRef> refs = new ArrayList<>();
    for (Manifest manifest : step.plan(step.documents()).reversed()) {
      if (holder(manifest.ref())) {
        step.note(manifest.ref() + ": kept; a step has to name it to delete it");
      } else {
        refs.add(manifest.ref());
      }
    }
    return refs;
  }

  private static boolean holder(ObjectRef ref) {
    return HOLDERS.contains(ref.kind().granted());
  }
}
