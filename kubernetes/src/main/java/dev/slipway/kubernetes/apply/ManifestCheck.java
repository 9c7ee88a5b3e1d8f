package dev.slipway.kubernetes.apply;

import dev.slipway.engine.intake.Path;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.RenderedManifest;
import dev.slipway.kubernetes.cluster.KnownKinds;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is wrong with a document before a cluster is asked. */
public final class ManifestCheck {
  private static final int LARGEST = 3 << 20;
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9:._-]{0,251}[A-Za-z0-9])?");
  private static final Pattern KIND = Pattern.compile("[A-Z][A-Za-z0-9]{0,62}");

  /**
   * Fields that say whose an object is or when it goes; they are the engine's and the cluster's.
   */
  private static final List<String> RESERVED =
      List.of(
          "ownerReferences",
          "finalizers",
          "managedFields",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "selfLink",
          "generateName");

  /** Labels of namespaces by which the cluster decides what may run there. */
  private static final Pattern NAMESPACE_RULES =
      Pattern.compile("([a-z0-9-]+\\.)*(kubernetes|k8s)\\.io/.*");

  private ManifestCheck() {}

  /** Refuses what no cluster would take and what a document must not set. */
  public static void check(RenderedManifest document) throws RefusedException {
    String apiVersion = required(document, "apiVersion");
    if (!KnownKinds.possible(apiVersion)) {
      throw invalid(document, Path.of("apiVersion"), "'" + apiVersion + "' is no API version");
    }
    String kind = required(document, "kind");
    if (!KIND.matcher(kind).matches()) {
      throw invalid(document, Path.of("kind"), "'" + kind + "' cannot be a kind");
    }
    if (kind.endsWith("List") && document.content().get("items") instanceof List<?>) {
      throw invalid(document, Path.of("items"), "write the objects of a list as documents");
    }
    if (!(document.content().get("metadata") instanceof Map<?, ?> metadata)) {
      throw invalid(document, Path.of("metadata"), "'metadata' with a name is missing");
    }
    metadata(document, Values.map(metadata));
    int size = Json.write(document.content()).length();
    if (size > LARGEST) {
      throw RefusedException.last(
          "object-too-large",
          subject(document) + " has " + size + " bytes",
          "An object may have about 1 MiB. Split it, or store the content elsewhere.");
    }
  }

  private static void metadata(RenderedManifest document, Map<String, Object> metadata)
      throws RefusedException {
    for (String field : RESERVED) {
      if (metadata.get(field) != null) {
        throw reserved(document, Path.of("metadata", field));
      }
    }
    String name = Objects.toString(metadata.get("name"), "");
    if (!NAME.matcher(name).matches()) {
      throw invalid(
          document,
          Path.of("metadata", "name"),
          name.isEmpty()
              ? "'metadata.name' is missing"
              : "'" + shortened(name) + "' is no name of an object");
    }
    for (String field : List.of("labels", "annotations")) {
      keys(document, field, metadata.get(field));
    }
  }

  private static void keys(RenderedManifest document, String field, @Nullable Object written)
      throws RefusedException {
    if (written != null && !(written instanceof Map<?, ?>)) {
      throw invalid(document, Path.of("metadata", field), "'" + field + "' is a map");
    }
    boolean namespace =
        "Namespace".equals(document.content().get("kind"))
            && "v1".equals(document.content().get("apiVersion"));
    for (String key : Values.map(written).keySet()) {
      if (key.startsWith(Stamp.PREFIX) || key.contains("." + Stamp.PREFIX)) {
        throw reserved(document, Path.of("metadata", field, key));
      }
      if (namespace && NAMESPACE_RULES.matcher(key).matches()) {
        throw reserved(document, Path.of("metadata", field, key));
      }
    }
  }

  private static String required(RenderedManifest document, String field) throws RefusedException {
    if (document.content().get(field) instanceof String text && !text.isBlank()) {
      return text;
    }
    throw invalid(document, Path.of(field), "'" + field + "' is missing");
  }

  private static RefusedException reserved(RenderedManifest document, Path path) {
    return RefusedException.last(
        "reserved-field",
        subject(document) + place(document, path) + ": '" + path + "' cannot be set",
        "Slipway or the cluster sets it. Leave it out.");
  }

  private static RefusedException invalid(RenderedManifest document, Path path, String message) {
    return RefusedException.last(
        "invalid-manifest",
        subject(document) + place(document, path) + ": " + message,
        "Correct the manifest.");
  }

  private static String place(RenderedManifest document, Path path) {
    return document.place(path).map(at -> " (" + at + ")").orElse("");
  }

  private static String subject(RenderedManifest document) {
    Optional<Object> name =
        Optional.ofNullable(Values.map(document.content().get("metadata")).get("name"));
    return shortened(
        Objects.toString(document.content().get("kind"), "a document")
            + name.map(n -> " " + n).orElse(""));
  }

  private static String shortened(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }
}
