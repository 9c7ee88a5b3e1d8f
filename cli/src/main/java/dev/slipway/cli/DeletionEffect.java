package dev.slipway.cli;

import java.util.List;
import java.util.Map;

/** What becomes of a resource when one of its applications is deleted. */
final class DeletionEffect {
  private DeletionEffect() {}

  /** What is shared stays as long as another application uses it. */
  static String of(Map<String, Object> resource, String application) {
    List<String> others =
        resource.get("users") instanceof List<?> users
            ? users.stream().map(String::valueOf).filter(u -> !u.equals(application)).toList()
            : List.of();
    return others.isEmpty()
        ? Table.text(resource.get("deletionPolicy"))
        : "kept: also used by " + String.join(", ", others);
  }
}
