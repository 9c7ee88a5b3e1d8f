package dev.slipway.kubernetes.health.builtin;

import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.List;
import java.util.Optional;

/** The health of a Vault: that of all its servers together. */
public final class VaultServers {
  /** What one server says of itself. */
  public enum State {
    ACTIVE,
    STANDBY,
    UNINITIALISED,
    SEALED,
    NO_ANSWER
  }

  private VaultServers() {}

  /** What the labels of its Pod say, which servers with registration in Kubernetes keep up. */
  public static Optional<State> ofLabels(LiveObject pod) {
    String initialised = pod.text("metadata", "labels", "vault-initialized");
    if (initialised.isEmpty()) {
      return Optional.empty();
    }
    if (!initialised.equals("true")) {
      return Optional.of(State.UNINITIALISED);
    }
    if (!pod.text("metadata", "labels", "vault-sealed").equals("false")) {
      return Optional.of(State.SEALED);
    }
    boolean active = pod.text("metadata", "labels", "vault-active").equals("true");
    return Optional.of(active ? State.ACTIVE : State.STANDBY);
  }

  /** What the code means that {@code GET /v1/sys/health} is answered with. */
  public static State ofCode(int code) {
    return switch (code) {
      case 200 -> State.ACTIVE;
      case 429, 473 -> State.STANDBY;
      case 501 -> State.UNINITIALISED;
      case 503 -> State.SEALED;
      default -> State.NO_ANSWER;
    };
  }

  /** Healthy: every server is unsealed, and exactly one is active. */
  public static ObjectHealth judge(List<State> servers) {
    if (servers.isEmpty() || servers.contains(State.NO_ANSWER)) {
      return ObjectHealth.unknown(
          count(servers, State.NO_ANSWER) + " of " + servers.size() + " servers gave no answer");
    }
    if (servers.stream().allMatch(state -> state == State.UNINITIALISED)) {
      return ObjectHealth.progressing("no server is initialised");
    }
    long closed = count(servers, State.SEALED) + count(servers, State.UNINITIALISED);
    if (closed > 0) {
      return ObjectHealth.degraded(
          closed + " of " + servers.size() + " servers are sealed or not initialised");
    }
    long active = count(servers, State.ACTIVE);
    return active == 1
        ? ObjectHealth.healthy(servers.size() + " servers are unsealed, one is active")
        : ObjectHealth.degraded(active + " servers are active, not one");
  }

  private static long count(List<State> servers, State wanted) {
    return servers.stream().filter(state -> state == wanted).count();
  }
}
