package dev.slipway.kubernetes.cluster;

import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.value.Values;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The kinds that a cluster has, read by API version when one is first needed. A kind that is
 * missing is looked for again each time: its definition may have appeared.
 */
public final class KnownKinds {
  private static final Pattern API_VERSION =
      Pattern.compile("([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?v[0-9]+((alpha|beta)[0-9]+)?");

  private final Cluster cluster;
  private final Map<String, Map<String, ApiKind>> byVersion = new ConcurrentHashMap<>();

  KnownKinds(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Whether the text can be an {@code apiVersion} at all. */
  public static boolean possible(String apiVersion) {
    return API_VERSION.matcher(apiVersion).matches();
  }

  /** A kind that the cluster has. */
  public Optional<ApiKind> find(String apiVersion, String kind, Duration left)
      throws KindsRefusedException, ClusterDownException, InterruptedException {
    ApiKind known = byVersion.getOrDefault(apiVersion, Map.of()).get(kind);
    if (known != null || !possible(apiVersion)) {
      return Optional.ofNullable(known);
    }
    return Optional.ofNullable(read(apiVersion, left).get(kind));
  }

  /** The nearest kind of that API version to one that is missing. */
  public Optional<String> nearest(String apiVersion, String kind) {
    Set<String> known = byVersion.getOrDefault(apiVersion, Map.of()).keySet();
    return Nearest.to(kind, known);
  }

  /** Whether the cluster serves an API version that was looked for. */
  public boolean serves(String apiVersion) {
    return !byVersion.getOrDefault(apiVersion, Map.of()).isEmpty();
  }

  /** The versions of an API version's group that the cluster serves, the preferred one first. */
  public List<String> versions(String apiVersion, Duration left)
      throws ClusterDownException, InterruptedException {
    int slash = apiVersion.indexOf('/');
    if (slash < 0) {
      return List.of("v1");
    }
    ApiReply reply = cluster.read(ApiRequest.get("/apis/" + apiVersion.substring(0, slash)), left);
    return reply.body().get("versions") instanceof List<?> versions
        ? versions.stream()
            .map(version -> String.valueOf(Values.map(version).get("groupVersion")))
            .toList()
        : List.of();
  }

  /** Reads an API version again at the next need: an object's kind was not found. */
  public void forget(String apiVersion) {
    byVersion.remove(apiVersion);
  }

  private Map<String, ApiKind> read(String apiVersion, Duration left)
      throws KindsRefusedException, ClusterDownException, InterruptedException {
    String root = apiVersion.contains("/") ? "/apis/" : "/api/";
    ApiReply reply = cluster.read(ApiRequest.get(root + apiVersion), left);
    if (!reply.ok() && reply.status() != 404) {
      throw new KindsRefusedException(reply);
    }
    List<ApiKind> found = new ArrayList<>();
    if (reply.ok() && reply.body().get("resources") instanceof List<?> list) {
      list.stream().map(Values::map).forEach(each -> add(apiVersion, each, found));
    }
    Map<String, ApiKind> kinds =
        found.stream().collect(Collectors.toMap(ApiKind::kind, k -> k, (first, _) -> first));
    byVersion.put(apiVersion, kinds);
    return kinds;
  }

  private static void add(String apiVersion, Map<String, Object> resource, List<ApiKind> found) {
    String plural = String.valueOf(resource.get("name"));
    boolean whole = resource.get("verbs") instanceof List<?> verbs && verbs.contains("get");
    if (!plural.contains("/") && whole) {
      found.add(
          new ApiKind(
              apiVersion,
              String.valueOf(resource.get("kind")),
              plural,
              Boolean.TRUE.equals(resource.get("namespaced"))
                  ? ApiKind.Scope.NAMESPACED
                  : ApiKind.Scope.CLUSTER));
    }
  }
}
