package dev.slipway.engine.resolve;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Several providers of one precedence level claim one type: from that level down it is unusable.
 */
public record CapabilityConflict(String type, int level, List<Claimant> claimants) {
  /** One of them, and where it says so. */
  public record Claimant(String provider, String position) {}

  /** A sentence that names the providers and what to do. */
  public String message() {
    return "resource type '"
        + type
        + "' is claimed by "
        + String.join(
            " and ", claimants.stream().map(c -> c.provider() + " (" + c.position() + ")").toList())
        + " at precedence "
        + level
        + ". Give one of them another precedence in the configuration, or remove the type from it.";
  }

  /** Of providers by the types that they claim. */
  static List<CapabilityConflict> among(Map<String, List<Provider>> byType) {
    List<CapabilityConflict> found = new ArrayList<>();
    byType.forEach(
        (type, claiming) -> {
          Map<Integer, List<Provider>> levels = new LinkedHashMap<>();
          claiming.forEach(
              p -> levels.computeIfAbsent(p.source().precedence(), l -> new ArrayList<>()).add(p));
          levels.forEach(
              (level, same) -> {
                List<Provider> clashing =
                    same.stream()
                        .filter(p -> same.stream().anyMatch(o -> o != p && o.overlaps(p)))
                        .toList();
                if (!clashing.isEmpty()) {
                  found.add(
                      new CapabilityConflict(
                          type,
                          level,
                          clashing.stream()
                              .map(p -> new Claimant(p.name(), position(p, type)))
                              .toList()));
                }
              });
        });
    return List.copyOf(found);
  }

  private static String position(Provider provider, String type) {
    Manifest manifest = provider.manifest();
    return manifest.capabilities().stream()
        .filter(c -> c.type().equals(type))
        .map(Manifest.Capability::position)
        .findFirst()
        .orElseGet(
            () ->
                manifest.resourceTypes().stream()
                    .filter(c -> c.type().equals(type))
                    .map(Manifest.Claim::position)
                    .findFirst()
                    .orElse(provider.manifestFile()));
  }
}
