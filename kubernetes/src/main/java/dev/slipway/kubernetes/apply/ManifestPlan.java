package dev.slipway.kubernetes.apply;

import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.RenderedManifest;
import dev.slipway.kubernetes.cluster.ApiKind;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The documents of a step as objects of a cluster, in the order in which they are applied. All are
 * judged before the first request that changes something.
 */
public final class ManifestPlan {
  /** Names that are parts of paths at the API server. */
  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

  private final Cluster cluster;
  private final Reach reach;
  private final Optional<String> namespace;
  private final Duration left;

  /** {@code namespace} is for documents that name none. */
  public ManifestPlan(Cluster cluster, Reach reach, Optional<String> namespace, Duration left) {
    this.cluster = cluster;
    this.reach = reach;
    this.namespace = namespace;
    this.left = left;
  }

  /** The objects of the documents. */
  public List<Manifest> of(List<RenderedManifest> documents)
      throws RefusedException, ClusterDownException, InterruptedException {
    if (documents.isEmpty()) {
      throw RefusedException.last("no-manifest", "there is no document to apply", "");
    }
    for (RenderedManifest document : documents) {
      ManifestCheck.check(document);
    }
    Map<String, ApiKind> defined = defined(documents);
    List<Manifest> all = new ArrayList<>();
    Set<String> planned = new HashSet<>();
    for (RenderedManifest document : documents) {
      Manifest manifest = placed(document, kind(document, defined));
      if (all.stream().anyMatch(other -> other.ref().equals(manifest.ref()))) {
        throw RefusedException.last(
            "duplicate-object", manifest.ref() + " is written twice", "Keep one of them.");
      }
      if (GuardedKinds.namespace(manifest.ref().kind())) {
        planned.add(manifest.ref().name());
      }
      all.add(manifest);
    }
    judge(all, planned);
    all.sort(Comparator.comparing(m -> m.ref().kind(), ApplyOrder.BY_RANK));
    return all;
  }

  private void judge(List<Manifest> all, Set<String> planned)
      throws RefusedException, ClusterDownException, InterruptedException {
    for (Manifest manifest : all) {
      ObjectRef ref = manifest.ref();
      reach.kind(ref.kind());
      EscalatingFields.refuse(manifest);
      if (GuardedKinds.namespace(ref.kind())) {
        reach.newNamespace(ref.name());
      } else if (ref.namespace().isPresent()) {
        reach.namespace(ref.namespace().get(), planned, left);
      }
    }
  }

  private Manifest placed(RenderedManifest document, ApiKind kind) throws RefusedException {
    Map<String, Object> metadata = Values.map(document.content().get("metadata"));
    String name = String.valueOf(metadata.get("name"));
    Optional<String> written =
        Optional.ofNullable(metadata.get("namespace"))
            .map(String::valueOf)
            .filter(text -> !text.isBlank());
    if (kind.scope() == ApiKind.Scope.CLUSTER) {
      if (written.isPresent()) {
        throw RefusedException.last(
            "invalid-manifest", kind.kind() + " " + name + " has no namespace", "Leave it out.");
      }
      return new Manifest(new ObjectRef(kind, Optional.empty(), name), document);
    }
    String place = written.or(() -> namespace).orElse("");
    return new Manifest(
        new ObjectRef(kind, Optional.of(checked(kind, name, place)), name), document);
  }

  private static String checked(ApiKind kind, String name, String place) throws RefusedException {
    if (place.isEmpty()) {
      throw RefusedException.last(
          "namespace-required",
          kind.kind() + " " + name + " needs a namespace",
          "Write metadata.namespace in the manifest, or namespace in the step.");
    }
    if (!LABEL.matcher(place).matches()) {
      throw RefusedException.last(
          "invalid-manifest",
          "%s %s: '%s' is no name of a namespace".formatted(kind.kind(), name, shortened(place)),
          "A namespace has up to 63 small letters, digits and dashes.");
    }
    return place;
  }

  private static String shortened(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }

  private ApiKind kind(RenderedManifest document, Map<String, ApiKind> defined)
      throws RefusedException, ClusterDownException, InterruptedException {
    String apiVersion = String.valueOf(document.content().get("apiVersion"));
    String kind = String.valueOf(document.content().get("kind"));
    ApiKind own = defined.get(apiVersion + " " + kind);
    return own != null ? own : Kinds.require(cluster, apiVersion, kind, left);
  }

  /** The kinds that documents of the step define themselves. */
  private static Map<String, ApiKind> defined(List<RenderedManifest> documents) {
    Map<String, ApiKind> defined = new LinkedHashMap<>();
    for (RenderedManifest document : documents) {
      if ("CustomResourceDefinition".equals(document.content().get("kind"))
          && "apiextensions.k8s.io/v1".equals(document.content().get("apiVersion"))) {
        add(Values.map(document.content().get("spec")), defined);
      }
    }
    return defined;
  }

  private static void add(Map<String, Object> spec, Map<String, ApiKind> defined) {
    Map<String, Object> names = Values.map(spec.get("names"));
    String kind = Objects.toString(names.get("kind"), "");
    ApiKind.Scope scope =
        "Namespaced".equals(spec.get("scope")) ? ApiKind.Scope.NAMESPACED : ApiKind.Scope.CLUSTER;
    String plural = Objects.toString(names.get("plural"), "");
    if (LABEL.matcher(plural).matches() && spec.get("versions") instanceof List<?> versions) {
      for (Object version : versions) {
        String apiVersion = spec.get("group") + "/" + Values.map(version).get("name");
        defined.put(apiVersion + " " + kind, new ApiKind(apiVersion, kind, plural, scope));
      }
    }
  }
}
