package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.ReservedParameters;
import dev.slipway.engine.resolve.Resolution.Component;
import dev.slipway.engine.resolve.Resolution.Definition;
import dev.slipway.engine.workflow.Parameter;
import dev.slipway.engine.workflow.ParameterBinding;
import dev.slipway.engine.workflow.Step;
import dev.slipway.engine.workflow.Workflow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the workflows that a workflow calls, directly and through others, so that a new run stores
 * all of them. Reports missing workflows and parameters, calls nested too deep and cycles when
 * providers load.
 */
public final class SubWorkflows {
  /** So many workflows may be called below one another. */
  public static final int DEEPEST = 5;

  /** Whether references to other providers are followed. */
  private enum Reach {
    OWN_PROVIDER,
    EVERYWHERE
  }

  private final Map<String, Provider> providers;
  private final Reach reach;

  private SubWorkflows(Map<String, Provider> providers, Reach reach) {
    this.providers = providers;
    this.reach = reach;
  }

  /** Among these. */
  static SubWorkflows among(Collection<Provider> providers) {
    Map<String, Provider> byName = new LinkedHashMap<>();
    providers.forEach(p -> byName.put(p.name(), p));
    return new SubWorkflows(byName, Reach.EVERYWHERE);
  }

  /** Inside one provider; what it calls elsewhere is not looked at. */
  static SubWorkflows inside(Provider provider) {
    return new SubWorkflows(Map.of(provider.name(), provider), Reach.OWN_PROVIDER);
  }

  /** A definition with all it calls, or what is wrong with what it calls. */
  public record Linked(Definition definition, List<Diagnostic> problems) {}

  /** A step that calls a workflow, and where it is written. */
  private record Call(Path step, Step.SubWorkflow called) {}

  /** What is wrong in a field of a step that calls. */
  private record Wrong(String field, String code, String message, @Nullable String hint) {}

  /** What was found on the way: workflows, how deep each was met, and what those lack. */
  private record Journey(
      Map<String, Component> library, Map<String, Integer> depths, List<Diagnostic> lacking) {}

  /** Everything wrong inside one provider. */
  List<Diagnostic> problems(Provider provider) {
    List<Diagnostic> all = new ArrayList<>();
    provider
        .definitions()
        .forEach((name, definition) -> all.addAll(link(provider, name, definition).problems()));
    return all;
  }

  /** The provider with what its workflows call; those that cannot have it lack something. */
  Provider link(Provider provider) {
    Map<String, Definition> definitions = new LinkedHashMap<>();
    Map<String, List<Diagnostic>> missing = new LinkedHashMap<>(provider.missing());
    provider
        .definitions()
        .forEach(
            (name, definition) -> {
              Linked linked = link(provider, name, definition);
              definitions.put(name, linked.definition());
              if (!linked.problems().isEmpty()) {
                missing.merge(definition.hash(), linked.problems(), SubWorkflows::both);
              }
            });
    return provider.with(definitions, missing);
  }

  private static List<Diagnostic> both(List<Diagnostic> some, List<Diagnostic> more) {
    return Stream.concat(some.stream(), more.stream()).distinct().toList();
  }

  private Linked link(Provider provider, String name, Definition definition) {
    String file =
        provider.manifest().workflows().stream()
            .filter(entry -> entry.name().equals(name))
            .findFirst()
            .map(entry -> StepPlaces.fileOf(provider, entry))
            .orElse(name);
    return link(provider.name() + "/" + name, file, definition);
  }

  /** The same for a workflow of that file which no provider has. */
  Linked link(String key, String file, Definition definition) {
    if (calls(definition.workflow()).isEmpty()) {
      return new Linked(definition, List.of());
    }
    Journey journey = new Journey(new TreeMap<>(), new HashMap<>(), new ArrayList<>());
    StepPlaces places = new StepPlaces(file, definition.source());
    List<Diagnostic> problems = new ArrayList<>();
    for (Call call : calls(definition.workflow())) {
      Stream.of(
              follow(List.of(key), call, definition.provider(), journey),
              parameters(call, definition.provider()),
              reserved(call))
          .flatMap(Optional::stream)
          .forEach(
              wrong ->
                  problems.add(
                      places.diagnostic(
                          call.step().child(wrong.field()),
                          wrong.code(),
                          wrong.message(),
                          wrong.hint())));
    }
    return new Linked(definition.calling(journey.library()), both(problems, journey.lacking()));
  }

  private static List<Call> calls(Workflow workflow) {
    return StepPlaces.of(workflow).stream()
        .filter(place -> place.step().subWorkflow().isPresent())
        .map(place -> new Call(place.path(), place.step().subWorkflow().orElseThrow()))
        .toList();
  }

  /** Takes along what the call leads to; the answer is why it cannot be called. */
  private Optional<Wrong> follow(List<String> path, Call call, String from, Journey journey) {
    String key = Component.key(from, call.called().reference());
    List<String> longer = Stream.concat(path.stream(), Stream.of(key)).toList();
    if (path.contains(key)) {
      return wrong(
          "cycle",
          "workflows call each other: "
              + String.join(" -> ", longer.subList(longer.indexOf(key), longer.size())),
          "A workflow cannot call itself, nor one that calls it.");
    }
    if (longer.size() > DEEPEST + 1) {
      return wrong(
          "too-deep",
          "workflows are called more than " + DEEPEST + " deep: " + String.join(" -> ", longer),
          "Call the deepest one further up.");
    }
    Optional<Definition> target = find(key);
    if (target.isEmpty()) {
      return elsewhere(key, from) ? Optional.empty() : Optional.of(unknown(key, from));
    }
    if (journey.depths().getOrDefault(key, 0) >= path.size()) {
      return Optional.empty(); // nothing was wrong with it even further down
    }
    journey.depths().put(key, path.size());
    journey.library().put(key, target.get().component());
    Provider provider =
        Objects.requireNonNull(
            providers.get(target.get().provider()), "find() looks among these providers only");
    journey.lacking().addAll(provider.missing(target.get()));
    for (Call next : calls(target.get().workflow())) {
      Optional<Wrong> wrong = follow(longer, next, target.get().provider(), journey);
      if (wrong.isPresent()) {
        return wrong;
      }
    }
    return Optional.empty();
  }

  private boolean elsewhere(String key, String from) {
    return reach == Reach.OWN_PROVIDER && !key.startsWith(from + "/");
  }

  private Optional<Definition> find(String key) {
    int slash = key.indexOf('/');
    return Optional.ofNullable(providers.get(key.substring(0, slash)))
        .map(provider -> provider.definitions().get(key.substring(slash + 1)));
  }

  private Wrong unknown(String key, String from) {
    String owner = key.substring(0, key.indexOf('/'));
    String name = key.substring(owner.length() + 1);
    Provider provider = providers.get(owner);
    if (provider != null) {
      return new Wrong(
          "workflow",
          "unknown-workflow",
          "provider '" + owner + "' has no workflow '" + name + "'",
          Nearest.hintOrList(name, provider.definitions().keySet()));
    }
    if (owner.equals(from)) {
      return new Wrong(
          "workflow",
          "unknown-workflow",
          "'" + name + "' is not a workflow of a provider",
          "Write provider/name.");
    }
    return new Wrong(
        "workflow",
        "unknown-provider",
        "workflow '" + key + "' is missing: no provider '" + owner + "' is in service",
        Nearest.hintOrList(owner, providers.keySet()));
  }

  private Optional<Wrong> parameters(Call call, String from) {
    Optional<Definition> target = find(Component.key(from, call.called().reference()));
    if (target.isEmpty()) {
      return Optional.empty();
    }
    List<String> lacking =
        target.get().workflow().parameters().stream()
            .filter(p -> p.need() == Parameter.Need.REQUIRED && p.defaultValue() == null)
            .map(Parameter::name)
            .filter(name -> call.called().parameters().get(name) == null)
            .filter(name -> !ParameterBinding.INJECTED.contains(name))
            .toList();
    if (lacking.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Wrong(
            call.called().parameters().isEmpty() ? "workflow" : "parameters",
            "missing-parameter",
            "workflow '"
                + call.called().reference()
                + "' requires '"
                + String.join("', '", lacking)
                + "'",
            "Give it below 'parameters' of the step."));
  }

  /** The called workflow has the caller's identity; a step that sets another one is refused. */
  private static Optional<Wrong> reserved(Call call) {
    return ReservedParameters.IDENTITY.stream()
        .filter(call.called().parameters()::containsKey)
        .findFirst()
        .map(
            name ->
                new Wrong(
                    "parameters",
                    ReservedParameters.CODE,
                    "the engine sets '" + name + "' of the called workflow; a step cannot",
                    "Remove it: the called workflow receives the value of this one."));
  }

  private static Optional<Wrong> wrong(String code, String message, String hint) {
    return Optional.of(new Wrong("workflow", code, message, hint));
  }
}
