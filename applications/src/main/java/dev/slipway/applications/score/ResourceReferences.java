package dev.slipway.applications.score;

import dev.slipway.applications.observe.DriftPolicy;
import dev.slipway.engine.intake.Cycles;
import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.intake.Findings;
import dev.slipway.engine.intake.Label;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.ReservedParameters;
import dev.slipway.engine.intake.Words;
import dev.slipway.engine.resolve.AdminConfig.Observe;
import dev.slipway.engine.value.Sealed;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the resources of a workload say about each other and about names that are taken. */
record ResourceReferences(Score score, Findings findings) {
  void check() {
    resourceCycles();
    identities();
    score.resources().values().forEach(this::reserved);
    sealed(Path.of("metadata"), score.metadata().values());
    score.resources().values().forEach(this::sealed);
    score.resources().values().forEach(this::annotations);
  }

  private void resourceCycles() {
    var edges = new TreeMap<String, Set<String>>();
    score.resources().forEach((name, r) -> edges.put(name, r.dependsOn()));
    for (var cycle : Cycles.in(edges)) {
      Path path = link(cycle.getFirst(), cycle.get(1 % cycle.size()));
      String message =
          cycle.size() == 1
              ? "a resource cannot wait for itself: " + Cycles.print(cycle)
              : "resources wait for each other: " + Cycles.print(cycle);
      findings.errorAtValue("cycle", path, message, null);
    }
  }

  /** The param of one resource that refers to the next one. */
  private Path link(String from, String to) {
    Path params = Path.of("resources", from, "params");
    Score.Resource resource =
        Objects.requireNonNull(score.resources().get(from), "a cycle is one of resources");
    return Substitution.references(resource.params()).stream()
        .filter(r -> r.placeholder().referredResource().filter(to::equals).isPresent())
        .findFirst()
        .map(reference -> params.descend(reference.path()))
        .orElse(params);
  }

  private void identities() {
    Map<ResourceIdentity, String> first = new HashMap<>();
    for (Score.Resource resource : score.resources().values()) {
      ResourceIdentity identity = score.identity(resource);
      String earlier = first.putIfAbsent(identity, resource.name());
      if (earlier != null) {
        String message =
            "this is the same resource (" + identity + ") as 'resources." + earlier + "'";
        findings.errorAtKey("duplicate-identity", resource.path(), message, "Use one name for it.");
      }
    }
  }

  /** Refuses params under names that the engine sets. */
  private void reserved(Score.Resource resource) {
    if (resource.params() == null) {
      return;
    }
    for (String name : ReservedParameters.IDENTITY) {
      if (resource.params().containsKey(name)) {
        findings.errorAtKey(
            ReservedParameters.CODE,
            resource.path().child("params").child(name),
            ReservedParameters.message(name),
            ReservedParameters.hint(name));
      }
    }
  }

  /** Refuses the key that marks encrypted values: what looks like one would be opened as one. */
  private void sealed(Path path, @Nullable Object value) {
    switch (value) {
      case Map<?, ?> map ->
          map.forEach(
              (key, inner) -> {
                if (key.equals(Sealed.KEY)) {
                  findings.errorAtKey(
                      "reserved-key",
                      path.child(Sealed.KEY),
                      "'" + Sealed.KEY + "' marks encrypted values; a document cannot hold one",
                      "Write the value itself, or refer to a secret.");
                }
                sealed(path.child(String.valueOf(key)), inner);
              });
      case List<?> list -> {
        for (int i = 0; i < list.size(); i++) {
          sealed(path.child(i), list.get(i));
        }
      }
      case null, default -> {}
    }
  }

  private void sealed(Score.Resource resource) {
    sealed(resource.path().child("params"), resource.params());
    sealed(resource.path().child("metadata"), resource.metadata());
  }

  private <E extends Enum<E>> void word(Score.Resource resource, String key, Class<E> choices) {
    resource
        .annotation(key)
        .filter(word -> !Words.of(choices).containsKey(word))
        .ifPresent(
            word -> {
              var words = Words.of(choices).sequencedKeySet();
              findings.errorAtValue(
                  "invalid-value",
                  resource.path().child("metadata").child("annotations").child(key),
                  "'" + Words.shortened(word) + "' is not one of " + Words.list(words),
                  Nearest.hint(word, words));
            });
  }

  private void annotations(Score.Resource resource) {
    Path path = resource.path().child("metadata").child("annotations");
    word(resource, DeletionPolicy.ANNOTATION, DeletionPolicy.class);
    word(resource, DriftPolicy.ANNOTATION, Observe.Drift.class);
    resource
        .sharedFrom()
        .filter(team -> !Label.matches(team))
        .ifPresent(
            team ->
                findings.errorAtValue(
                    "invalid-value",
                    path.child(Sharing.FROM),
                    "'" + Words.shortened(team) + "' is not the name of a team",
                    "Write the name of the team that shares the resource."));
    Sharing sharing = resource.sharing();
    for (String team : new TreeSet<>(sharing.teams())) {
      if (!Label.matches(team)) {
        String message = "'" + Words.shortened(team) + "' is not the name of a team";
        String hint = "Write team names separated by commas, or * for every team.";
        findings.errorAtValue("invalid-value", path.child(Sharing.ANNOTATION), message, hint);
      }
    }
  }
}
