package dev.slipway.kubernetes.workload;

import dev.slipway.kubernetes.apply.RefusedException;
import java.util.Map;
import java.util.SortedMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The containers and the service of a Score document, with the outputs of resources in place.
 *
 * @param name of all its objects, given by the provider
 * @param application as people call it
 */
public record ScoreWorkload(
    String name, String application, SortedMap<String, Part> containers, Part service) {

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

  /** Reads the fields {@code name}, {@code application}, {@code containers} and {@code service}. */
  public static ScoreWorkload of(@Nullable Object written) throws RefusedException {
    Part whole = Part.of("", written);
    SortedMap<String, Part> containers = whole.parts("containers");
    if (containers.isEmpty()) {
      throw whole.wrong("containers", "has no container");
    }
    for (String name : containers.keySet()) {
      if (!NAME.matcher(name).matches()) {
        throw whole.wrong("containers", "has '" + name + "', which is no name of a container");
      }
    }
    return new ScoreWorkload(
        whole.required("name"),
        whole.text("application").orElse(""),
        containers,
        whole.part("service"));
  }

  /** Labels of all its objects. */
  Map<String, Object> labels() {
    return Map.of(
        "app.kubernetes.io/name",
        application.isEmpty() ? name : application,
        "app.kubernetes.io/instance",
        name);
  }

  /** The labels that its pods, and no others, have. */
  Map<String, Object> selector() {
    return Map.of("app.kubernetes.io/instance", name);
  }
}
