package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.resolve.Resolution.Definition;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Steps whose default action creates objects must name their action in a workflow that deletes,
 * where the default would do the opposite.
 */
final class DeletingSteps {
  private static final Set<String> MAKERS = Set.of("terraform", "opentofu");

  private DeletingSteps() {}

  /** One finding for each step that does not. */
  static List<Diagnostic> undecided(Provider provider) {
    Set<String> deleting = deleting(provider.manifest());
    return provider.manifest().workflows().stream()
        .filter(entry -> deleting.contains(entry.name()))
        .flatMap(entry -> undecided(provider, entry))
        .toList();
  }

  private static Set<String> deleting(Manifest manifest) {
    Stream<String> said =
        manifest.workflows().stream()
            .filter(entry -> entry.operation() == Operation.DELETE)
            .map(Manifest.Entry::name);
    Stream<String> chosen =
        manifest.capabilities().stream()
            .map(capability -> capability.operations().get(Operation.DELETE))
            .filter(choice -> choice != null)
            .flatMap(choice -> choice.options().stream())
            .map(Manifest.Choice.Option::workflow);
    return Stream.concat(said, chosen).collect(Collectors.toSet());
  }

  private static Stream<Diagnostic> undecided(Provider provider, Manifest.Entry entry) {
    Map<String, Definition> definitions = provider.definitions();
    Definition definition = definitions.get(entry.name());
    if (definition == null) {
      return Stream.empty();
    }
    StepPlaces places = new StepPlaces(StepPlaces.fileOf(provider, entry), definition.source());
    return StepPlaces.of(definition.workflow()).stream()
        .filter(place -> MAKERS.contains(place.step().type()))
        .filter(place -> !place.step().config().containsKey("operation"))
        .map(
            place ->
                places.diagnostic(
                    place.path(),
                    "operation-required",
                    "step '"
                        + place.step().name()
                        + "' of a workflow that deletes does not say what it does",
                    "Write 'operation: destroy', or 'operation: apply' if that is meant."));
  }
}
