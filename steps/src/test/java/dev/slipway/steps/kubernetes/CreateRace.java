package dev.slipway.steps.kubernetes;

import dev.slipway.kubernetes.cluster.ApiRequest;
import java.time.Duration;
import java.util.Map;

/** The request by which a step creates an object, sent where there is one already. */
final class CreateRace {
  private CreateRace() {}

  static int createBlindly(KubernetesSteps steps) {
    Map<String, Object> content =
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "ConfigMap",
            "metadata",
            Map.of("name", "thing", "resourceVersion", "1"),
            "data",
            Map.of("a", "mine"));
    try {
      return steps
          .cluster()
          .send(
              ApiRequest.change(
                      ApiRequest.Method.PATCH,
                      "/api/v1/namespaces/" + steps.namespace + "/configmaps/thing",
                      ApiRequest.Body.json("application/apply-patch+yaml", content))
                  .with("fieldManager", "test"),
              Duration.ofSeconds(10),
              () -> {})
          .status();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
