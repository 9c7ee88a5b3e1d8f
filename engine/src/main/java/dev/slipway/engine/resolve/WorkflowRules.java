package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.resolve.AdminConfig.WorkflowPolicies;
import dev.slipway.engine.resolve.Resolution.Definition;
import dev.slipway.engine.workflow.ProviderChoice;
import dev.slipway.engine.workflow.Step;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepTypes;
import dev.slipway.engine.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The administrator's rules about workflows, all in this place: what a provider's workflows must
 * keep to when it is loaded, and what a step must keep to when it would start. A run keeps its
 * definition but not the rules it began under: each step is held to those in force by then.
 */
public final class WorkflowRules {
  private static final String PREFIX = "workflowPolicies.";

  private final AdminConfig config;
  private final WorkflowPolicies policies;
  private final StepTypes types;
  private final Set<String> allowedTypes;

  /** Of this configuration; the types say which names are aliases and which run code. */
  public WorkflowRules(AdminConfig config, StepTypes types) {
    this.config = config;
    this.policies = config.workflowPolicies();
    this.types = types;
    this.allowedTypes =
        policies.allowedStepTypes().stream().map(this::canonical).collect(Collectors.toSet());
  }

  /** The configuration that these are the rules of. */
  public AdminConfig config() {
    return config;
  }

  // ---------------------------------------------------------------- at load

  /** Everything that keeps a provider out of service, each with its place. */
  public List<Diagnostic> refusals(Provider provider) {
    List<Diagnostic> found = new ArrayList<>();
    for (Manifest.Entry entry : provider.manifest().workflows()) {
      Definition definition = provider.definitions().get(entry.name());
      if (definition != null) {
        String file = StepPlaces.fileOf(provider, entry);
        found.addAll(refusals(definition, provider.source().team(), file));
        new ProviderRules(provider.name(), this, provider.source())
            .ungranted(definition.source())
            .map(breach -> new StepPlaces(file, definition.source()).ofText("secrets.", breach))
            .ifPresent(found::add);
        found.addAll(ungranted(provider.name(), definition, provider.source().grants(), file));
      }
    }
    return found.stream().distinct().toList(); // several workflows may share a file
  }

  /** Every field that names what is not granted, as far as that is known before a run. */
  private List<Diagnostic> ungranted(
      String provider, Definition definition, Grants grants, String file) {
    StepPlaces places = new StepPlaces(file, definition.source());
    List<Diagnostic> found = new ArrayList<>();
    for (StepPlaces.Place place : StepPlaces.of(definition.workflow())) {
      for (StepType.Field field : granted(place.step())) {
        Object written = place.step().config().get(field.name());
        StepType.Grant list = field.grant().orElseThrow();
        Optional.ofNullable(written)
            .flatMap(w -> ProviderChoice.resolved(w.toString(), definition.configuration()))
            .filter(value -> !grants.allows(list, value))
            .map(value -> Breach.ungranted(list, value, provider))
            .ifPresent(breach -> found.add(places.ofField(place, field.names(), breach)));
      }
    }
    return found;
  }

  private List<StepType.Field> granted(Step step) {
    return types.find(step.type()).map(StepType::fields).orElse(List.of()).stream()
        .filter(field -> field.grant().isPresent())
        .toList();
  }

  /** The same for one workflow of a team. */
  public List<Diagnostic> refusals(Definition definition, String team, String file) {
    Workflow workflow = definition.workflow();
    List<Diagnostic> found = new ArrayList<>();
    StepPlaces places = new StepPlaces(file, definition.source());
    long count = all(workflow.steps()).size();
    if (count > policies.maxStepsPerWorkflow()) {
      found.add(places.ofSteps(tooManySteps(count)));
    }
    StepPlaces.of(workflow)
        .forEach(
            place ->
                step(definition.provider(), team, place.step())
                    .ifPresent(breach -> found.add(places.diagnostic(place, breach))));
    return List.copyOf(found);
  }

  /** Steps, what undoes them, and what their failure leads to. */
  static List<Step> all(List<Step> steps) {
    List<Step> all = new ArrayList<>();
    for (Step step : steps) {
      all.add(step);
      all.addAll(all(step.compensate()));
      all.addAll(all(step.onError().rollbackSteps()));
    }
    return all;
  }

  // ---------------------------------------------------------------- at run

  /** Why a step of that provider may not start; {@code team} is null when no team owns it. */
  Optional<Breach> step(String provider, @Nullable String team, Step step) {
    return stepType(step)
        .or(() -> executor(provider, team, step))
        .or(() -> step.subWorkflow().flatMap(sub -> product(provider, sub.reference())));
  }

  /** Why a workflow is too long to be run. */
  Optional<Breach> length(Workflow workflow) {
    long count = all(workflow.steps()).size();
    return count > policies.maxStepsPerWorkflow()
        ? Optional.of(tooManySteps(count))
        : Optional.empty();
  }

  /** Why a golden path or sub-workflow may not be used. */
  public Optional<Breach> product(String provider, String name) {
    List<String> allowed = policies.allowedProductWorkflows();
    String own = name.substring(name.indexOf('/') + 1);
    String full = name.contains("/") ? name : provider + "/" + name;
    if (allowed.isEmpty() || allowed.contains(own) || allowed.contains(full)) {
      return Optional.empty();
    }
    return Optional.of(
        Breach.of(
            PREFIX + "allowedProductWorkflows",
            "the workflow '" + name + "' is not among the allowed ones",
            "Allowed are " + String.join(", ", allowed) + "."));
  }

  private Optional<Breach> stepType(Step step) {
    if (allowedTypes.isEmpty() || allowedTypes.contains(canonical(step.type()))) {
      return Optional.empty();
    }
    String hint = Nearest.hint(step.type(), policies.allowedStepTypes());
    return Optional.of(
        Breach.of(
            PREFIX + "allowedStepTypes",
            "steps of type '" + step.type() + "' are not allowed",
            hint != null
                ? hint
                : "Allowed are " + String.join(", ", policies.allowedStepTypes()) + "."));
  }

  private Optional<Breach> executor(String provider, @Nullable String team, Step step) {
    boolean code = types.find(step.type()).map(t -> t.code() == StepType.Code.RUNS).orElse(false);
    List<String> named = policies.allowedExecutors();
    List<String> allowed = named.isEmpty() ? List.of(ProviderSource.PLATFORM_TEAM) : named;
    // A provider without a team is no longer configured: what it began was allowed then.
    boolean free = team == null ? named.isEmpty() : allowed.contains(team);
    if (!code || free) {
      return Optional.empty();
    }
    String whose = team == null ? "no team that is known" : "team '" + team + "'";
    return Optional.of(
        Breach.of(
            PREFIX + "security.allowedExecutors",
            "provider '" + provider + "' of " + whose + " may not run code",
            "Step type '"
                + step.type()
                + "' is for providers of "
                + String.join(", ", allowed)
                + "."));
  }

  private Breach tooManySteps(long count) {
    return Breach.of(
        PREFIX + "maxStepsPerWorkflow",
        "the workflow has "
            + count
            + " steps, and at most "
            + policies.maxStepsPerWorkflow()
            + " are allowed",
        "Split it into sub-workflows. Steps that undo others count too.");
  }

  private String canonical(String type) {
    return types.find(type).map(StepType::name).orElse(type);
  }
}
