package dev.slipway.engine.resolve;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A {@code provider.yaml}, checked: what a provider can do and with which workflows. */
public record Manifest(
    String name,
    String version,
    About about,
    @Nullable String minCoreVersion,
    @Nullable String maxCoreVersion,
    List<Claim> resourceTypes,
    List<Capability> capabilities,
    List<Entry> workflows,
    Map<String, Object> configuration) {

  public Manifest {
    resourceTypes = List.copyOf(resourceTypes);
    capabilities = List.copyOf(capabilities);
    workflows = List.copyOf(workflows);
  }

  /** What people read about it. */
  public record About(
      String category,
      String description,
      String author,
      String homepage,
      String repository,
      String license,
      List<String> tags) {}

  /** A type of the simple form, and where it is written. */
  public record Claim(String type, String position) {}

  /** A type of the per-operation form; with {@code aliasFor} another name of such a type. */
  public record Capability(
      String type,
      String position,
      @Nullable String aliasFor,
      @Nullable String deletionPolicy,
      Map<Operation, Choice> operations) {
    public Capability {
      operations =
          operations.isEmpty() ? Map.of() : Map.copyOf(new EnumMap<Operation, Choice>(operations));
    }
  }

  /** The workflows of one operation; several are distinguished by tags. */
  public record Choice(List<Option> options, @Nullable String fallback) {
    public Choice {
      options = List.copyOf(options);
    }

    /** One workflow and the tags that ask for it. */
    public record Option(String workflow, List<String> tags) {}

    /** The workflow with most of the tags; a tie, or no tag that fits, goes to the default. */
    public Optional<String> pick(List<String> wanted) {
      if (options.size() == 1) {
        return Optional.of(options.getFirst().workflow());
      }
      long best = options.stream().mapToLong(o -> matches(o, wanted)).max().orElse(0);
      List<Option> winners = options.stream().filter(o -> matches(o, wanted) == best).toList();
      return best > 0 && winners.size() == 1
          ? Optional.of(winners.getFirst().workflow())
          : Optional.ofNullable(fallback);
    }

    private static long matches(Option option, List<String> wanted) {
      return option.tags().stream().filter(wanted::contains).count();
    }
  }

  /** A workflow as the manifest lists it. */
  public record Entry(
      String name,
      String position,
      String file,
      Category category,
      @Nullable Operation operation,
      String version,
      String description,
      List<String> tags,
      List<String> resourceTypes,
      List<String> allowedTeams) {}

  /** What a workflow is for. */
  public enum Category {
    /** Makes, changes or removes resources; also when nothing is written. */
    PROVISIONER,
    /** Started by people, with parameters. */
    GOLDEN_PATH
  }

  /** Every type that it claims, aliases too, in the order of the manifest. */
  public List<String> claimedTypes() {
    List<String> all = new java.util.ArrayList<>();
    resourceTypes.forEach(claim -> all.add(claim.type()));
    capabilities.forEach(capability -> all.add(capability.type()));
    return all.stream().distinct().toList();
  }

  /** The per-operation form of a type, aliases followed. */
  public Optional<Capability> capability(String type) {
    Optional<Capability> found =
        capabilities.stream().filter(c -> c.type().equals(type)).findFirst();
    return found.flatMap(c -> c.aliasFor() == null ? found : capability(c.aliasFor()));
  }

  /** The type that an alias stands for in the end; the type itself when it is none. */
  public String target(String type) {
    return capabilities.stream()
        .filter(c -> c.type().equals(type))
        .flatMap(c -> Stream.ofNullable(c.aliasFor()))
        .findFirst()
        .map(this::target)
        .orElse(type);
  }
}
