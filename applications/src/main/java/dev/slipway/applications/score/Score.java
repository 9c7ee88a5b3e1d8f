package dev.slipway.applications.score;

import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Words;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A validated {@code score.dev/v1b1} workload: every rule of the format was checked, every
 * placeholder is well formed and points at something that exists in the document, and params
 * references between resources contain no cycle.
 *
 * @param document the upgraded document, images filled in: what is stored, and where later stages
 *     find positions for their own diagnostics ({@code score.document().position(path)})
 * @param environment the environment that the document itself asks for (an upgraded legacy field)
 */
public record Score(
    Document document,
    Metadata metadata,
    SequencedMap<String, Container> containers,
    SequencedMap<String, Port> ports,
    SequencedMap<String, Resource> resources,
    Optional<RequestedEnvironment> environment) {

  public Score {
    containers = ordered(containers);
    ports = ordered(ports);
    resources = ordered(resources);
  }

  /** The name of the workload, which is the name of the application. */
  public String name() {
    return metadata.name();
  }

  /** The identity of one of this workload's resources. */
  public ResourceIdentity identity(Resource resource) {
    return resource
        .id()
        .map(id -> ResourceIdentity.shared(resource.type(), resource.resourceClass(), id))
        .orElseGet(
            () ->
                ResourceIdentity.owned(
                    resource.type(), resource.resourceClass(), name(), resource.name()));
  }

  /**
   * @param values the whole open map, {@code name} and {@code annotations} included
   */
  public record Metadata(
      String name, Map<String, String> annotations, Map<String, @Nullable Object> values) {}

  /**
   * @param variables values may hold placeholders ({@link Substitution#parse})
   * @param before containers that start after this one, by what they wait for
   */
  public record Container(
      String name,
      String image,
      List<String> command,
      List<String> args,
      SequencedMap<String, String> variables,
      SequencedMap<String, MountedFile> files,
      SequencedMap<String, Volume> volumes,
      SequencedMap<String, Readiness> before,
      Compute limits,
      Compute requests,
      Optional<Probe> livenessProbe,
      Optional<Probe> readinessProbe) {}

  /** When a container counts as far enough for the next one to start. */
  public enum Readiness {
    STARTED,
    HEALTHY,
    COMPLETE
  }

  /** A file put into a container. */
  public record MountedFile(Content content, Optional<String> mode) {}

  /** Where the bytes of a file come from. */
  public sealed interface Content {
    /** Text in which placeholders are resolved. */
    record Expanded(String text) implements Content {}

    /** Text that is used as it is ({@code noExpand}). */
    record Verbatim(String text) implements Content {}

    /** Base64. */
    record Binary(String base64) implements Content {}

    /** A path beside the Score file; embedded before upload, so the server never sees one. */
    record Source(String path, Expansion expansion) implements Content {}
  }

  public enum Expansion {
    PLACEHOLDERS,
    NONE
  }

  /**
   * @param source may hold placeholders
   */
  public record Volume(String source, Optional<String> path, Access access) {}

  public enum Access {
    READ_WRITE,
    READ_ONLY
  }

  /** CPU and memory in Kubernetes notation. */
  public record Compute(Optional<String> cpu, Optional<String> memory) {
    public static final Compute UNSET = new Compute(Optional.empty(), Optional.empty());
  }

  /** At least one of both; {@code exec} is preferred when both are there. */
  public record Probe(Optional<HttpGet> httpGet, Optional<List<String>> exec) {}

  public record HttpGet(
      String path, int port, Optional<String> host, String scheme, List<Header> headers) {}

  public record Header(String name, String value) {}

  public record Port(String name, int port, int targetPort, String protocol) {}

  /**
   * @param params null when the document has none, which differs from an empty map when a resource
   *     is shared: the first definition with params counts
   * @param metadata null when the document has none, likewise
   * @param dependsOn names of resources that params refer to
   */
  public record Resource(
      String name,
      String type,
      String resourceClass,
      Optional<String> id,
      @Nullable Map<String, @Nullable Object> params,
      @Nullable Map<String, @Nullable Object> metadata,
      Set<String> dependsOn) {
    public static final String WORKFLOW_TAGS = "slipway.dev/workflow-tags";

    public Map<String, @Nullable Object> paramsOrEmpty() {
      return params == null ? Map.of() : params;
    }

    public Optional<String> annotation(String key) {
      return metadata != null
              && metadata.get("annotations") instanceof Map<?, ?> annotations
              && annotations.get(key) instanceof String value
          ? Optional.of(value)
          : Optional.empty();
    }

    public Optional<DeletionPolicy> deletionPolicy() {
      return annotation(DeletionPolicy.ANNOTATION).flatMap(DeletionPolicy::parse);
    }

    public Sharing sharing() {
      return annotation(Sharing.ANNOTATION).map(Sharing::parse).orElse(Sharing.NONE);
    }

    /** The team whose resource this is, where the document says that it uses another team's. */
    public Optional<String> sharedFrom() {
      return annotation(Sharing.FROM).map(String::strip);
    }

    /** Tags that choose among several workflows of one operation. */
    public List<String> workflowTags() {
      return annotation(WORKFLOW_TAGS).map(Words::commaSeparated).orElse(List.of());
    }

    /** Where this resource stands in its document. */
    public Path path() {
      return Path.of("resources", name);
    }
  }

  /** What a document says about its environment; a request that names one wins. */
  public record RequestedEnvironment(String name, Optional<String> type, Optional<Duration> ttl) {}

  private static <V> SequencedMap<String, V> ordered(Map<String, V> map) {
    return Collections.unmodifiableSequencedMap(new LinkedHashMap<>(map));
  }
}
