package dev.slipway.engine.resolve;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How steps run as Jobs in a cluster. All of it is the administrator's choice: no provider and no
 * document can change it.
 *
 * @param image what steps run in
 * @param images what steps of single types run in instead, by the type's name
 * @param namespace where the Jobs are, with {@code {team}} for the step's team
 * @param user the numeric user of the containers; never 0
 * @param placement where their pods run and what they may use
 */
public record JobSettings(
    String image, Map<String, String> images, String namespace, long user, Placement placement) {
  /** The user when none is configured. */
  public static final long USUAL_USER = 65532;

  /**
   * Where pods run and what they may use, in the words of Kubernetes.
   *
   * @param serviceAccount whose token the pods get; without one they get none
   */
  public record Placement(
      Optional<String> serviceAccount,
      Map<String, Object> resources,
      Map<String, String> nodeSelector,
      List<Map<String, Object>> tolerations,
      List<String> pullSecrets) {
    /** Anywhere, with the namespace's own limits. */
    public static final Placement ANYWHERE =
        new Placement(Optional.empty(), Map.of(), Map.of(), List.of(), List.of());

    public Placement {
      resources = Map.copyOf(resources);
      nodeSelector = Map.copyOf(nodeSelector);
      tolerations = List.copyOf(tolerations);
      pullSecrets = List.copyOf(pullSecrets);
    }
  }

  public JobSettings {
    images = Map.copyOf(images);
  }

  /** What steps of that type run in. */
  public String imageOf(String type) {
    return images.getOrDefault(type, image);
  }

  /** The namespace of the Jobs of that team. */
  public String namespaceOf(String team) {
    return namespace.replace("{team}", team);
  }
}
