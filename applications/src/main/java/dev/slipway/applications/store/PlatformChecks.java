package dev.slipway.applications.store;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.Breach;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.workflow.ParameterBinding;
import dev.slipway.engine.workflow.Scope;
import dev.slipway.postgres.environments.EnvironmentRow;
import dev.slipway.postgres.runs.RunInsert;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The workflows that {@code workflowPolicies.requiredPlatformWorkflows} puts before every
 * deployment: runs of their own, one after the other. The first that fails is the deployment's
 * failure too; nothing of it has happened by then.
 */
record PlatformChecks(ApplicationContext applications, Handle handle) {
  static final String POLICY = "workflowPolicies.requiredPlatformWorkflows";

  /** Under which a run remembers which of the required ones it is. */
  private static final String CONTEXT_KEY = "platformWorkflow";

  /** What the checks are for. */
  record Deployment(
      UUID id,
      int revision,
      DeployCommand.Kind kind,
      String createdBy,
      ApplicationRow application) {}

  /** How far they are. */
  sealed interface Outcome {
    record Passed() implements Outcome {}

    /** A check is running; {@code events} are about its start if it has just begun. */
    record Running(List<Event> events) implements Outcome {}

    record Failed(String code, String message) implements Outcome {}
  }

  private record Found(String reference, RunState state, @Nullable String error) {}

  boolean wanted(DeployCommand.Kind kind) {
    return kind != DeployCommand.Kind.TEARDOWN && !required().isEmpty();
  }

  /** The first required type that no provider offers: no deployment could ever pass it. */
  Optional<Breach> missing() {
    return required().stream()
        .filter(reference -> definition(reference).isEmpty())
        .findFirst()
        .map(
            reference ->
                new Breach(
                    POLICY,
                    "no provider offers the workflow '"
                        + reference
                        + "' that has to run before each deployment (policy "
                        + POLICY
                        + ")",
                    Optional.ofNullable(Nearest.hint(reference, offered()))
                        .orElse("An operator has to add its provider, or change the policy.")));
  }

  /** Looks how far they are and starts the next one. */
  Outcome advance(Deployment deployment, EnvironmentRow environment) {
    if (!wanted(deployment.kind())) {
      return new Outcome.Passed();
    }
    Map<String, Found> found = new LinkedHashMap<>();
    found(deployment).forEach(run -> found.put(run.reference(), run));
    for (String reference : required()) {
      Found run = found.get(reference);
      if (run == null) {
        return start(deployment, environment, reference);
      }
      switch (run.state()) {
        case SUCCEEDED -> {}
        case FAILED, PARTIAL, CANCELLED -> {
          return new Outcome.Failed(
              "platform-workflow-failed",
              "the platform workflow '"
                  + reference
                  + "' "
                  + (run.state() == RunState.CANCELLED ? "was cancelled" : "failed")
                  + (run.error() == null ? "" : ": " + run.error()));
        }
        case PENDING, RUNNING, WAITING -> {
          return new Outcome.Running(List.of());
        }
      }
    }
    return new Outcome.Passed();
  }

  /** Runs of checks that are not over. */
  List<UUID> open(UUID application) {
    return handle
        .createQuery(
            "SELECT id FROM runs WHERE application_id = ? AND kind = 'platform'"
                + " AND state IN ('pending', 'running', 'waiting')")
        .bind(0, application)
        .mapTo(UUID.class)
        .list();
  }

  private List<Found> found(Deployment deployment) {
    return handle
        .createQuery(
            """
            SELECT inputs -> 'context' ->> :key AS reference, state, error ->> 'message' AS error
              FROM runs
             WHERE application_id = :application AND deployment_id = :deployment
               AND kind = 'platform'
             ORDER BY id
            """)
        .bind("key", CONTEXT_KEY)
        .bind("application", deployment.application().id())
        .bind("deployment", deployment.id())
        .map(
            (rs, _) ->
                new Found(
                    rs.getString("reference"),
                    State.parse(RunState.class, rs.getString("state")),
                    rs.getString("error")))
        .list();
  }

  private Outcome start(Deployment deployment, EnvironmentRow environment, String reference) {
    Optional<Resolution.Definition> definition = definition(reference);
    if (definition.isEmpty()) {
      return new Outcome.Failed(Breach.CODE, missing().orElseThrow().message());
    }
    ApplicationRow application = deployment.application();
    UUID id = applications.ids().get();
    Map<String, @Nullable Object> context = context(deployment, environment, reference, id);
    ParameterBinding.Bound bound = bind(definition.get(), application, context);
    if (!bound.problems().isEmpty()) {
      ParameterBinding.Problem problem = bound.problems().getFirst();
      return new Outcome.Failed(
          "platform-workflow-invalid",
          "the platform workflow '"
              + reference
              + "' cannot be started: parameter '"
              + problem.parameter()
              + "': "
              + problem.message());
    }
    NewRun run =
        new NewRun(
            id,
            NewRun.Kind.PLATFORM,
            definition.get(),
            null,
            new RunSubject(
                    new ApplicationRefs(application.name(), environment.name()), application.id())
                .whole(deployment.id(), "check of a deployment"),
            new NewRun.Tenancy(environment.name(), application.team()),
            NewRun.Origin.NONE,
            new NewRun.Inputs(bound.values(), context, Map.of()),
            new NewRun.Creation(deployment.createdBy(), applications.now()),
            config().workflowPolicies().maxWorkflowDuration());
    return new Outcome.Running(RunInsert.insert(handle, applications.box(), List.of(run)));
  }

  private Map<String, @Nullable Object> context(
      Deployment deployment, EnvironmentRow environment, String reference, UUID run) {
    ApplicationRow application = deployment.application();
    Map<String, @Nullable Object> context = new LinkedHashMap<>();
    context.put("app", application.name());
    context.put("environment", Map.of("name", environment.name(), "type", environment.type()));
    context.put("team", application.team());
    context.put("user", deployment.createdBy());
    context.put("run", run.toString());
    context.put("deployment", deployment.id().toString());
    context.put("policies", config().policies().inTemplates());
    context.put(
        "spec",
        Specs.sealed(handle, application.id(), deployment.revision())
            .<Object>map(spec -> spec)
            .orElse(Map.of()));
    context.put(CONTEXT_KEY, reference);
    return context;
  }

  private static ParameterBinding.Bound bind(
      Resolution.Definition definition,
      ApplicationRow application,
      Map<String, @Nullable Object> context) {
    Map<String, Object> injected = new LinkedHashMap<>();
    injected.put("app_name", application.name());
    injected.put("environment", application.environment());
    injected.put("team_id", application.team());
    injected.put("namespace", application.name() + "-" + application.environment());
    injected.put("operation", "deploy");
    Scope scope = Scope.forBinding(context, Map.of(), definition.configuration(), Instant.EPOCH);
    return ParameterBinding.bind(
        definition.workflow(),
        new ParameterBinding.Sources(Map.of(), injected, Map.of(), ParameterBinding.Words.STRICT),
        scope);
  }

  /** {@code provider/name}, or the name alone when it is clear enough. */
  private Optional<Resolution.Definition> definition(String reference) {
    int slash = reference.indexOf('/');
    String name = reference.substring(slash + 1);
    return applications.registry().get().providers().stream()
        .filter(p -> slash < 0 || p.name().equals(reference.substring(0, slash)))
        .flatMap(p -> Optional.ofNullable(p.definitions().get(name)).stream())
        .findFirst();
  }

  private List<String> offered() {
    List<String> names = new ArrayList<>();
    for (Provider provider : applications.registry().get().providers()) {
      provider.definitions().keySet().forEach(name -> names.add(name));
    }
    return names;
  }

  private List<String> required() {
    return config().workflowPolicies().requiredPlatformWorkflows();
  }

  private AdminConfig config() {
    return applications.config().get();
  }
}
