package dev.slipway.kubernetes.health.builtin;

import dev.slipway.kubernetes.health.Condition;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whether a Pod runs, or has run, as it should. A Pod that may end by itself is never Degraded
 * because a container waits: it may be a hook, and a hook that is given up runs later all the same.
 */
final class PodRule {
  private static final String IGNORE_POLICY = "argocd.argoproj.io/ignore-restart-policy";
  private static final String HOOK = "argocd.argoproj.io/hook";

  private PodRule() {}

  static Optional<ObjectHealth> judge(LiveObject pod, Neighbours others) {
    return Optional.of(health(pod));
  }

  private static ObjectHealth health(LiveObject pod) {
    boolean serves = serves(pod);
    List<LiveObject> stuck = serves ? stuck(pod) : List.of();
    String message = pod.text("status", "message");
    if (!stuck.isEmpty()) {
      return ObjectHealth.degraded(
          stuck.stream()
              .map(container -> container.text("state", "waiting", "message"))
              .collect(Collectors.joining(", ")));
    }
    return switch (pod.text("status", "phase")) {
      case "Pending" -> ObjectHealth.progressing(message);
      case "Succeeded" -> ObjectHealth.healthy(message);
      case "Failed" -> ObjectHealth.degraded(message.isEmpty() ? failure(pod) : message);
      case "Running" -> serves ? serving(pod, message) : ObjectHealth.progressing(message);
      default -> ObjectHealth.unknown(message);
    };
  }

  /** Whether it should run for ever. */
  private static boolean serves(LiveObject pod) {
    boolean ignored =
        pod.annotation(IGNORE_POLICY).equals("true") && pod.annotation(HOOK).isEmpty();
    return ignored || pod.text("spec", "restartPolicy").equals("Always");
  }

  private static List<LiveObject> stuck(LiveObject pod) {
    return pod.parts("status", "containerStatuses").stream()
        .filter(container -> isFailure(container.text("state", "waiting", "reason")))
        .toList();
  }

  private static boolean isFailure(String reason) {
    return reason.startsWith("Err") || reason.endsWith("Error") || reason.endsWith("BackOff");
  }

  private static ObjectHealth serving(LiveObject pod, String message) {
    if (pod.condition("Ready").filter(Condition::isTrue).isPresent()) {
      return ObjectHealth.healthy(message);
    }
    boolean crashed =
        pod.parts("status", "containerStatuses").stream()
            .anyMatch(container -> container.has("lastState", "terminated"));
    return crashed ? ObjectHealth.degraded(message) : ObjectHealth.progressing(message);
  }

  private static String failure(LiveObject pod) {
    List<LiveObject> containers = new ArrayList<>(pod.parts("status", "initContainerStatuses"));
    containers.addAll(pod.parts("status", "containerStatuses"));
    return containers.stream()
        .map(PodRule::failureOf)
        .filter(text -> !text.isEmpty())
        .findFirst()
        .orElse("");
  }

  private static String failureOf(LiveObject container) {
    String message = container.text("state", "terminated", "message");
    String reason = container.text("state", "terminated", "reason");
    long code = container.count("state", "terminated", "exitCode");
    if (!message.isEmpty()) {
      return message;
    }
    if (reason.equals("OOMKilled")) {
      return reason;
    }
    return code == 0 ? "" : "container " + container.text("name") + " exited with code " + code;
  }
}
