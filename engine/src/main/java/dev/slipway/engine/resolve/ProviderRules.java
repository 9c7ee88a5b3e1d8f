package dev.slipway.engine.resolve;

import dev.slipway.engine.resolve.AdminConfig.Enforcement;
import dev.slipway.engine.workflow.Parameter;
import dev.slipway.engine.workflow.Step;
import dev.slipway.engine.workflow.StepTypes;
import dev.slipway.engine.workflow.Workflow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the configuration in force for the runs of one provider: permissions, limits and
 * secrets. Each step uses the rules of its start.
 *
 * @param source its entry in the configuration; null when it is not configured any more
 * @param callers of the providers whose workflows call it
 */
public record ProviderRules(
    String provider,
    WorkflowRules rules,
    @Nullable ProviderSource source,
    List<ProviderRules> callers) {

  public ProviderRules(String provider, WorkflowRules rules, @Nullable ProviderSource source) {
    this(provider, rules, source, List.of());
  }

  /**
   * The same for a workflow that these call, one through the other: it has what all of them have.
   */
  public ProviderRules calledBy(List<ProviderRules> others) {
    return new ProviderRules(provider, rules, source, others);
  }

  /** No rule and no grant. */
  public static ProviderRules none(String provider) {
    return new ProviderRules(
        provider, new WorkflowRules(AdminConfig.DEFAULT, new StepTypes(List.of())), null);
  }

  /** Of a provider that is, or was, in this registry. */
  public static ProviderRules of(String provider, WorkflowRules rules, Registry registry) {
    return new ProviderRules(
        provider, rules, registry.known(provider).map(Provider::source).orElse(null));
  }

  /** What its steps may use: as granted, secrets narrowed by {@code secretsAccess}. */
  public Grants grants() {
    Grants narrowed = own();
    for (ProviderRules caller : callers) {
      narrowed = narrowed.calledBy(caller.own());
    }
    return narrowed;
  }

  private Grants own() {
    if (source == null) {
      return Grants.NONE;
    }
    Map<String, List<String>> access = rules.config().workflowPolicies().secretsAccess();
    List<String> secrets =
        source.grants().secrets().stream()
            .filter(s -> !access.containsKey(provider) || access.get(provider).contains(s))
            .filter(
                s -> !access.containsKey(source.team()) || access.get(source.team()).contains(s))
            .toList();
    return source.grants().withSecrets(secrets);
  }

  /** The granted secrets with their values, by name. */
  public Map<String, String> secrets() {
    Map<String, String> open = new LinkedHashMap<>();
    Map<String, String> configured = rules.config().secrets();
    for (String name : grants().secrets()) {
      if (configured.containsKey(name)) {
        open.put(name, configured.get(name));
      }
    }
    return open;
  }

  /** The same by the environment variables that steps find them in. */
  public Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    secrets().forEach((name, value) -> variables.put(GrantableSecrets.variable(name), value));
    return variables;
  }

  /** Why a step may not start. */
  public Optional<Breach> step(Step step) {
    return rules
        .step(provider, source == null ? null : source.team(), step)
        .or(() -> ungranted(step.config() + " " + step.env() + " " + step.setVariables()));
  }

  /** The first secret that a text names and that the provider is not granted. */
  Optional<Breach> ungranted(String text) {
    if (!text.contains("context.secrets.")) {
      return Optional.empty();
    }
    List<String> granted = grants().secrets();
    return GrantableSecrets.mentioned(text).stream()
        .filter(name -> !granted.contains(name))
        .findFirst()
        .map(this::ungrantedSecret);
  }

  private Breach ungrantedSecret(String name) {
    boolean narrowed = source != null && source.grants().secrets().contains(name);
    return Breach.of(
        narrowed ? "workflowPolicies.security.secretsAccess" : "providers[].grants.secrets",
        "the secret '" + name + "' is not granted to provider '" + provider + "'",
        narrowed
            ? "Its grant is taken back there; list the secret for the provider, or remove the"
                + " entry."
            : "Add it to the provider's grants.secrets in the configuration.");
  }

  /**
   * Why no step of a run may start.
   *
   * @param operation null for what is done to no resource
   */
  public Optional<Breach> run(
      Workflow workflow,
      String environment,
      @Nullable String operation,
      Map<String, @Nullable Object> parameters) {
    // Existing objects must stay deletable, also under stricter rules.
    if (operation != null && operation.equals(Operation.DELETE.text())) {
      return Optional.empty();
    }
    return rules
        .length(workflow)
        .or(() -> place(environment))
        .or(() -> backups(workflow, parameters));
  }

  private Optional<Breach> place(String environment) {
    List<String> served = source == null ? List.of() : source.environments();
    return served.isEmpty() || served.contains(environment)
        ? Optional.empty()
        : Optional.of(
            Breach.of(
                "providers[].environments",
                "provider '" + provider + "' may not serve the environment '" + environment + "'",
                "It serves " + String.join(", ", served) + "."));
  }

  private Optional<Breach> backups(Workflow workflow, Map<String, @Nullable Object> parameters) {
    if (rules.config().policies().backups() == Enforcement.OFF) {
      return Optional.empty();
    }
    Map<String, @Nullable Object> asked = new LinkedHashMap<>(parameters);
    for (Parameter parameter : workflow.parameters()) {
      // A provider's own default is for the provider to decide by .context.policies.
      asked.remove(
          parameter.name(), Objects.requireNonNullElse(parameter.defaultValue(), Optional.empty()));
    }
    return BackupRule.breach(asked);
  }
}
