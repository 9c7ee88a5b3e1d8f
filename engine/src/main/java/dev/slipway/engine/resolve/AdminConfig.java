package dev.slipway.engine.resolve;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The administrator's configuration, read from {@code admin-config.yaml}.
 *
 * @param healthRules directory with rules of health for Kubernetes objects
 * @param server how clients reach the server
 * @param secrets values that steps may be granted, by name
 * @param files the files that values were read from, and what each looked like then
 * @param view what may be shown: references to secrets as written, literal secrets masked
 */
public record AdminConfig(
    List<ProviderSource> providers,
    EngineConfig engine,
    Retention retention,
    Observe observe,
    Policies policies,
    WorkflowPolicies workflowPolicies,
    Map<String, Connection> connections,
    Map<String, ClusterSettings> clusters,
    Map<String, Map<String, Object>> integrations,
    Map<String, String> secrets,
    Optional<Path> goldenPaths,
    Optional<Path> healthRules,
    ServerSettings server,
    Map<Path, String> files,
    Map<String, Object> view) {

  /**
   * The connection of the bundled postgres provider. Unless it is configured, the server runs a
   * PostgreSQL for it.
   */
  public static final String WORKLOADS = "postgres";

  /** Nothing configured. */
  public static final AdminConfig DEFAULT =
      new AdminConfig(
          List.of(),
          EngineConfig.DEFAULT,
          Retention.DEFAULT,
          Observe.DEFAULT,
          new Policies(List.of(), Enforcement.OFF),
          WorkflowPolicies.DEFAULT,
          Map.of(),
          Map.of(),
          Map.of(),
          Map.of(),
          Optional.empty(),
          Optional.empty(),
          ServerSettings.DEFAULT,
          Map.of(),
          Map.of());

  /**
   * How clients reach the server.
   *
   * @param publicUrl where browsers reach it, when that is not where it listens
   * @param trustedProxies proxies whose word on the client's address is believed
   */
  public record ServerSettings(Optional<URI> publicUrl, List<AddressRange> trustedProxies) {
    /** Nothing stands before it. */
    public static final ServerSettings DEFAULT = new ServerSettings(Optional.empty(), List.of());
  }

  /** The same with other looks. */
  public AdminConfig observing(Observe looks) {
    return new AdminConfig(
        providers,
        engine,
        retention,
        looks,
        policies,
        workflowPolicies,
        connections,
        clusters,
        integrations,
        secrets,
        goldenPaths,
        healthRules,
        server,
        files,
        view);
  }

  /** What the files look like by now. */
  public Map<Path, String> filesNow() {
    Map<Path, String> now = new LinkedHashMap<>();
    files.keySet().forEach(file -> now.put(file, References.stamp(file)));
    return now;
  }

  /** Says nothing of what is in it: half of that is secret. */
  @Override
  public String toString() {
    return "AdminConfig" + view;
  }

  /** Section {@code engine}: how runs are worked off. */
  public record EngineConfig(
      Duration pollInterval,
      int batchSize,
      int workers,
      Duration lease,
      ProcessLimits limits,
      Duration retention,
      int maxQueuedRuns,
      int maxWrites) {
    /** Of a process with this many cores. */
    public static final EngineConfig DEFAULT =
        new EngineConfig(
            Duration.ofSeconds(5),
            100,
            Math.max(64, 4 * Runtime.getRuntime().availableProcessors()),
            Duration.ofSeconds(15),
            ProcessLimits.DEFAULT,
            Duration.ofDays(90),
            100_000,
            128);
  }

  /**
   * How long rows are kept that nothing under way needs. Runs have {@code engine.retention}.
   *
   * @param deleted objects that are gone, with their history
   * @param history changes of nodes beyond the newest; approvals whose subject is gone
   * @param credentials API keys and login sessions after their end
   * @param revisions how many of each object that has some
   * @param deployments how many of each object that has some
   */
  public record Retention(
      Duration plans,
      Duration audit,
      Duration deleted,
      Duration history,
      Duration credentials,
      int revisions,
      int deployments) {
    /** Unless configured otherwise. */
    public static final Retention DEFAULT =
        new Retention(
            Duration.ofDays(30),
            Duration.ofDays(730),
            Duration.ofDays(90),
            Duration.ofDays(90),
            Duration.ofDays(30),
            100,
            500);
  }

  /**
   * How resources are looked at.
   *
   * @param interval between two looks at one resource
   */
  public record Observe(Duration interval, Drift drift) {
    /** The longest interval that may be configured. */
    public static final Duration LONGEST = Duration.ofDays(7);

    /** Unless configured otherwise. */
    public static final Observe DEFAULT = new Observe(Duration.ofMinutes(5), Drift.REPORT);

    /** What follows when a resource is not as it was left. */
    public enum Drift {
      /** It is shown. */
      REPORT,
      /** It is made again, or brought back to what is asked for. */
      CORRECT,
      /** What was changed stays so, and the resource counts as it was left. */
      IGNORE
    }
  }

  /** Whether a rule holds. */
  public enum Enforcement {
    ON,
    OFF
  }

  /** Whether a person may decide about a change that the same person asked for. */
  public enum SelfApproval {
    REFUSED,
    ALLOWED
  }

  /** Rules for what is asked for. */
  public record Policies(List<String> allowedEnvironments, Enforcement backups) {
    /** Whether a deployment may create that environment. */
    public boolean mayCreate(String environment) {
      return allowedEnvironments.isEmpty() || allowedEnvironments.contains(environment);
    }

    /** What templates of workflows see as {@code .context.policies}. */
    public Map<String, Object> inTemplates() {
      return Map.of("enforceBackups", backups == Enforcement.ON);
    }
  }

  /** Rules for what runs. An empty list restricts nothing. */
  public record WorkflowPolicies(
      Duration maxWorkflowDuration,
      Optional<Integer> maxConcurrentWorkflows,
      int maxStepsPerWorkflow,
      List<String> allowedStepTypes,
      List<String> requiredPlatformWorkflows,
      List<String> allowedProductWorkflows,
      List<String> requireApproval,
      List<String> allowedExecutors,
      Map<String, List<String>> secretsAccess,
      SelfApproval selfApproval) {
    /** No rule but the limits. */
    public static final WorkflowPolicies DEFAULT =
        new WorkflowPolicies(
            Duration.ofMinutes(30),
            Optional.empty(),
            50,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Map.of(),
            SelfApproval.REFUSED);
  }

  /** A database that sql steps may use. */
  public record Connection(String url, String username, String password) {
    @Override
    public String toString() {
      return url;
    }
  }
}
