package dev.slipway.testbed.node;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** What the node reports about a pod: its phase and the state of its container. */
record PodReport(
    Container container, Phase phase, Optional<Instant> started, ContainerState state) {
  /** A pod's own words for how far it is. */
  enum Phase {
    PENDING("Pending"),
    RUNNING("Running"),
    SUCCEEDED("Succeeded"),
    FAILED("Failed");

    private final String word;

    Phase(String word) {
      this.word = word;
    }
  }

  static boolean terminal(Pod pod) {
    return pod.getStatus() != null
        && Set.of(Phase.SUCCEEDED.word, Phase.FAILED.word)
            .contains(String.valueOf(pod.getStatus().getPhase()));
  }

  static PodReport waiting(Container container, String reason, String message) {
    return new PodReport(
        container,
        Phase.PENDING,
        Optional.empty(),
        new ContainerStateBuilder().withNewWaiting(message, reason).build());
  }

  static PodReport running(Container container, Instant since) {
    return new PodReport(
        container,
        Phase.RUNNING,
        Optional.of(since),
        new ContainerStateBuilder().withNewRunning(since.toString()).build());
  }

  static PodReport terminated(Container container, Instant since, int code) {
    return new PodReport(
        container,
        code == 0 ? Phase.SUCCEEDED : Phase.FAILED,
        Optional.of(since),
        new ContainerStateBuilder()
            .withNewTerminated()
            .withExitCode(code)
            .withReason(code == 0 ? "Completed" : "Error")
            .withStartedAt(since.toString())
            .withFinishedAt(Instant.now().toString())
            .endTerminated()
            .build());
  }

  /** The pod with this as its status. */
  Pod on(Pod pod) {
    String ready = phase == Phase.RUNNING ? "True" : "False";
    PodStatus before = pod.getStatus();
    PodStatusBuilder status =
        new PodStatusBuilder(before == null ? new PodStatus() : before)
            .withPhase(phase.word)
            .removeMatchingFromConditions(
                c -> Set.of("Ready", "ContainersReady").contains(c.getType()))
            .addToConditions(
                new PodConditionBuilder().withType("Ready").withStatus(ready).build(),
                new PodConditionBuilder().withType("ContainersReady").withStatus(ready).build())
            .withContainerStatuses(
                new ContainerStatusBuilder()
                    .withName(container.getName())
                    .withImage(container.getImage())
                    .withImageID("")
                    .withReady(phase == Phase.RUNNING)
                    .withStarted(phase == Phase.RUNNING)
                    .withRestartCount(0)
                    .withState(state)
                    .build());
    started.ifPresent(at -> status.withStartTime(at.toString()));
    return new PodBuilder(pod).withStatus(status.build()).build();
  }
}
