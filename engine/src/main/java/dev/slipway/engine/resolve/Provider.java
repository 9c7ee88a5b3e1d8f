package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.resolve.Resolution.Definition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A provider in service: its manifest, its parsed workflows, and where it came from. {@code
 * missing} says which of its workflows, by hash, cannot run on this server for want of a program or
 * of another workflow.
 */
public record Provider(
    Manifest manifest,
    ProviderSource source,
    String manifestFile,
    @Nullable String commit,
    String hash,
    Map<String, Definition> definitions,
    Map<String, List<Diagnostic>> missing) {
  /** The same with these definitions, of which some lack something. */
  Provider with(Map<String, Definition> others, Map<String, List<Diagnostic>> lacking) {
    return new Provider(manifest, source, manifestFile, commit, hash, others, Map.copyOf(lacking));
  }

  /** Its name. */
  public String name() {
    return manifest.name();
  }

  /** The programs that a workflow of its needs and this server lacks. */
  public List<Diagnostic> missing(Definition definition) {
    return missing.getOrDefault(definition.hash(), List.of());
  }

  /** Whether it may serve that environment. */
  public boolean serves(String environment) {
    return source.environments().isEmpty() || source.environments().contains(environment);
  }

  /** Whether some environment is served by both. */
  boolean overlaps(Provider other) {
    return source.environments().isEmpty()
        || other.source.environments().isEmpty()
        || source.environments().stream().anyMatch(other.source.environments()::contains);
  }

  /** The workflow for an operation on a type that it claims. */
  Optional<Definition> workflow(String type, Operation operation, List<String> tags) {
    Optional<Manifest.Capability> capability = manifest.capability(type);
    if (capability.isPresent()) {
      return Optional.ofNullable(capability.get().operations().get(operation))
          .flatMap(choice -> choice.pick(tags))
          .map(definitions::get);
    }
    List<Manifest.Entry> candidates =
        SimpleForm.candidates(manifest, manifest.target(type), operation);
    return candidates.size() == 1
        ? Optional.ofNullable(definitions.get(candidates.getFirst().name()))
        : Optional.empty();
  }
}
