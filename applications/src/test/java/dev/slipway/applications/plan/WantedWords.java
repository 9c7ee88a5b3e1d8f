package dev.slipway.applications.plan;

import dev.slipway.applications.score.ResourceIdentity;
import dev.slipway.applications.score.Sharing;
import dev.slipway.engine.intake.DeletionPolicy;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the application {@code shop} asks for in the tables of cases: {@code db: postgres params=2
 * needs=net}. Further words: {@code no-params}, {@code policy}, {@code shared-from}, {@code
 * identity}. Params are {@code size: 1} when nothing is said.
 */
final class WantedWords {
  private WantedWords() {}

  static Wanted read(@Nullable String text) {
    List<WantedResource> resources =
        text == null ? List.of() : Arrays.stream(text.split(";")).map(WantedWords::one).toList();
    return new Wanted("shop", "default", Map.of(), resources, Map.of(), Set.of(), null);
  }

  private static WantedResource one(String text) {
    String[] parts = text.strip().split("[:\\s]+", 3);
    Map<String, String> words = new LinkedHashMap<>();
    for (String word : parts.length < 3 ? new String[0] : parts[2].split("\\s+")) {
      int sign = word.indexOf('=');
      words.put(sign < 0 ? word : word.substring(0, sign), word.substring(sign + 1));
    }
    String name = parts[0];
    String type = parts[1];
    return new WantedResource(
        name,
        words.getOrDefault(
            "identity", ResourceIdentity.owned(type, "default", "shop", name).toString()),
        type,
        "default",
        words.containsKey("no-params") ? null : ParamWords.read(words.getOrDefault("params", "1")),
        null,
        Arrays.stream(words.getOrDefault("needs", "").split(","))
            .filter(need -> !need.isEmpty())
            .collect(Collectors.toCollection(TreeSet::new)),
        List.of(),
        Optional.ofNullable(words.get("policy"))
            .map(policy -> DeletionPolicy.valueOf(policy.toUpperCase(Locale.ROOT))),
        Sharing.NONE,
        Optional.ofNullable(words.get("shared-from")),
        WantedResource.Origin.WRITTEN);
  }
}
