package dev.slipway.engine.intake;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parameters whose values the engine sets. Providers derive names and paths from them, so a
 * document that could choose one would reach the things of another team.
 */
public final class ReservedParameters {
  /** The code of every refusal. */
  public static final String CODE = "reserved-parameter";

  /** The identity of a resource and of its run; no document sets one of these. */
  public static final Set<String> IDENTITY =
      ordered(
          "app_name",
          "resource_name",
          "resource_type",
          "resource_class",
          "resource_id",
          "environment",
          "team_id",
          "operation");

  /** Proposals: a document sets one only where the workflow declares the parameter. */
  public static final Set<String> PROPOSED = ordered("namespace", "bucket_name");

  private ReservedParameters() {}

  private static Set<String> ordered(String... names) {
    return Collections.unmodifiableSet(new LinkedHashSet<>(List.of(names)));
  }

  /** Why a document cannot set a parameter of the identity. */
  public static String message(String name) {
    return "the engine sets '" + name + "'; a document cannot";
  }

  /** What to do instead. */
  public static String hint(String name) {
    return "Remove '" + name + "': the provider receives it with the resource's own value.";
  }

  /** The entries that are not part of the identity. */
  public static <V extends @Nullable Object> Map<String, V> without(Map<String, V> params) {
    if (Collections.disjoint(params.keySet(), IDENTITY)) {
      return params;
    }
    Map<String, V> left = new LinkedHashMap<>(params);
    left.keySet().removeAll(IDENTITY);
    return left;
  }
}
