package dev.slipway.engine.resolve;

import dev.slipway.engine.grammar.Form;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.intake.Spelling;
import dev.slipway.engine.resolve.AdminConfig.Connection;
import dev.slipway.engine.resolve.AdminConfig.Enforcement;
import dev.slipway.engine.resolve.AdminConfig.Policies;
import dev.slipway.engine.resolve.AdminConfig.ServerSettings;
import dev.slipway.engine.resolve.AdminConfig.WorkflowPolicies;
import dev.slipway.engine.value.Values;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code admin-config.yaml}. Unknown keys warn; everything else that is wrong is an error.
 */
public final class AdminConfigParser {
  private static final List<String> DATABASES =
      List.of("jdbc:postgresql:", "jdbc:mariadb:", "jdbc:mysql:");

  private static final String PUBLIC_URL_WORDS =
      "an address such as https://slipway.example.org, without a path";

  private final Path base;
  private final Function<String, @Nullable String> environment;
  private final List<String> stepTypes;
  private final List<Form> sections;

  /** Relative paths are relative to {@code base}; {@code environment} answers {@code ${env:X}}. */
  public AdminConfigParser(Path base, Function<String, @Nullable String> environment) {
    this(base, environment, List.of(), List.of());
  }

  /** The same, knowing which step types and which sections of branches there are. */
  public AdminConfigParser(
      Path base,
      Function<String, @Nullable String> environment,
      List<String> stepTypes,
      List<Form> sections) {
    this.base = base;
    this.environment = environment;
    this.stepTypes = stepTypes;
    this.sections = sections;
  }

  /** The configuration; whether it may be used is for {@link Diagnostics#hasErrors()} to say. */
  public AdminConfig parse(Document document, Diagnostics diagnostics) {
    References references = new References(document, base, environment, diagnostics);
    Section root =
        references.resolved().section(diagnostics).spelled(Spelling.CAMEL_OR_SNAKE).only(keys());
    Map<String, String> secrets = GrantableSecrets.read(root);
    Map<String, Connection> connections = new LinkedHashMap<>();
    root.sectionMap("connections").forEach((name, s) -> connections.put(name, connection(s)));
    Map<String, ClusterSettings> clusters = ClusterSection.read(root);
    Grantable known = Grantable.of(secrets, connections, clusters);
    List<ProviderSource> providers = new ArrayList<>();
    root.sections("providers").forEach(s -> source(s, known).ifPresent(providers::add));
    Map<String, Map<String, Object>> integrations = new LinkedHashMap<>();
    for (String name : AdminForms.INTEGRATIONS) {
      root.section(name).ifPresent(s -> integrations.put(name, Values.map(s.plain())));
    }
    for (Form form : sections) {
      root.section(form.name()).ifPresent(s -> integrations.put(form.name(), branch(s, form)));
    }
    AdminConfig config =
        new AdminConfig(
            List.copyOf(providers),
            EngineSection.read(root),
            RetentionSection.read(root),
            ObserveSection.read(root),
            policies(root),
            workflowPolicies(root),
            connections,
            clusters,
            workloadCluster(root, known),
            integrations,
            secrets,
            root.string("goldenPaths").map(base::resolve).map(Path::normalize),
            root.string("healthRules").map(base::resolve).map(Path::normalize),
            server(root),
            references.files(),
            LiteralSecrets.masked(document, diagnostics));
    root.warnOfOtherKeys();
    return config;
  }

  private Set<String> keys() {
    Set<String> keys = new LinkedHashSet<>(AdminForms.CONFIGURATION.names());
    sections.forEach(form -> keys.add(form.name()));
    return keys;
  }

  /** The section of a branch, which reads its values itself; unknown keys warn as elsewhere. */
  private static Map<String, Object> branch(Section s, Form form) {
    s.only(form.names());
    Map<String, Object> values = Values.map(s.plain());
    s.warnOfOtherKeys();
    return values;
  }

  private Optional<ProviderSource> source(Section s, Grantable known) {
    s.only(AdminForms.SOURCE_ENTRY.names());
    boolean enabled = s.bool("enabled", true);
    String kind = s.oneOf(either(s, "source", "type"), List.of("filesystem", "git")).orElse("");
    if (s.located("source").isEmpty() && s.located("type").isEmpty()) {
      s.error("missing-field", "'source' is required", "Write source: filesystem or source: git.");
    }
    Optional<ProviderSource.Location> location =
        kind.equals("git")
            ? Optional.of(new GitSourceParser(s).parse())
            : Optional.of(directory(s, kind));
    ProviderSource source =
        new ProviderSource(
            location.orElseThrow(),
            s.string("name").orElse(null),
            s.integer("precedence", -1_000_000, 1_000_000, 0),
            s.string("team", ProviderSource.PLATFORM_TEAM),
            s.strings("environments"),
            s.duration("pollInterval", Duration.ofSeconds(60)),
            s.section("grants").map(g -> grants(g, known)).orElse(Grants.NONE));
    s.warnOfOtherKeys();
    return enabled ? Optional.of(source) : Optional.empty();
  }

  /** Which of two names for the same field was written; both are one too many. */
  static String either(Section s, String name, String other) {
    boolean both = s.located(name).isPresent() && s.located(other).isPresent();
    if (both) {
      s.error(
          other,
          "contradiction",
          "'" + name + "' and '" + other + "' mean the same",
          "Remove one of them.");
    }
    return s.located(other).isPresent() && !both ? other : name;
  }

  private ProviderSource.Location directory(Section s, String kind) {
    boolean optional = kind.isEmpty() && s.located("path").isEmpty();
    String path = optional ? "." : s.requiredString("path");
    return new ProviderSource.Location.Directory(base.resolve(path).normalize());
  }

  /** Names that grants may refer to. */
  private record Grantable(Set<String> secrets, Set<String> connections, Set<String> clusters) {
    static Grantable of(
        Map<String, String> secrets,
        Map<String, Connection> connections,
        Map<String, ClusterSettings> clusters) {
      Set<String> names = new TreeSet<>(connections.keySet());
      names.add(AdminConfig.WORKLOADS);
      Set<String> targets = new TreeSet<>(clusters.keySet());
      targets.add(ClusterSettings.EMBEDDED);
      return new Grantable(secrets.keySet(), names, targets);
    }
  }

  private static Optional<String> workloadCluster(Section root, Grantable known) {
    return root.section("workloads")
        .flatMap(
            s -> {
              s.only(AdminForms.WORKLOADS.names());
              Optional<String> cluster = s.string("cluster");
              cluster
                  .filter(name -> !known.clusters().contains(name))
                  .ifPresent(name -> unknownCluster(s, name, known.clusters()));
              s.warnOfOtherKeys();
              return cluster;
            });
  }

  private static Grants grants(Section s, Grantable known) {
    s.only(AdminForms.GRANTS.names());
    Grants grants =
        new Grants(
            s.strings("secrets"),
            s.strings("clusters"),
            s.strings("kinds"),
            s.strings("hosts"),
            s.strings("connections"),
            s.strings("templates"),
            s.strings("repositories"),
            s.strings("projects"),
            null);
    known(s, "secret", grants.secrets(), known.secrets(), ": ${env:NAME}");
    known(s, "connection", grants.connections(), known.connections(), ": {url: ...}");
    known(s, "cluster", grants.clusters(), known.clusters(), ": {kubeconfig: '${file:PATH}'}");
    s.warnOfOtherKeys();
    return grants;
  }

  private static void unknownCluster(Section s, String name, Set<String> known) {
    s.error(
        "cluster",
        "unknown-cluster",
        "no cluster '" + name + "' is configured",
        Objects.requireNonNullElse(Nearest.hint(name, known), "Add it under clusters."));
  }

  private static void known(
      Section s, String what, List<String> granted, Set<String> known, String form) {
    for (String name : granted) {
      if (!known.contains(name)) {
        s.error(
            what + "s",
            "unknown-" + what,
            "no " + what + " '" + name + "' is configured",
            Objects.requireNonNullElse(
                Nearest.hint(name, known), "Add it under " + what + "s: " + name + form));
      }
    }
  }

  private static Connection connection(Section s) {
    s.only(AdminForms.CONNECTION.names());
    Connection connection =
        new Connection(s.requiredString("url"), s.string("username", ""), s.string("password", ""));
    if (!connection.url().isEmpty()
        && DATABASES.stream().noneMatch(known -> connection.url().startsWith(known))) {
      s.error(
          "url",
          "invalid-value",
          "no database that sql steps can use",
          "The url has to begin with " + String.join(" or ", DATABASES) + ".");
    }
    s.warnOfOtherKeys();
    return connection;
  }

  private static ServerSettings server(Section root) {
    return root.section("server")
        .map(
            s -> {
              s.only(AdminForms.SERVER.names());
              ServerSettings server =
                  new ServerSettings(
                      s.matching("publicUrl", AdminForms.PUBLIC_URL, PUBLIC_URL_WORDS)
                          .map(URI::create),
                      trustedProxies(s));
              s.warnOfOtherKeys();
              return server;
            })
        .orElse(ServerSettings.DEFAULT);
  }

  private static List<AddressRange> trustedProxies(Section server) {
    List<AddressRange> ranges = new ArrayList<>();
    for (String text : server.strings("trustedProxies")) {
      AddressRange.parse(text)
          .ifPresentOrElse(
              ranges::add,
              () ->
                  server.error(
                      "trustedProxies",
                      "invalid-value",
                      "'" + text + "' is no address and no network",
                      "Write an address such as 10.0.0.7 or a network such as 10.0.0.0/24."));
    }
    return List.copyOf(ranges);
  }

  private static Policies policies(Section root) {
    return root.section("policies")
        .map(
            s -> {
              s.only(AdminForms.POLICIES.names());
              Policies policies =
                  new Policies(
                      s.strings("allowedEnvironments"),
                      s.bool("enforceBackups", false) ? Enforcement.ON : Enforcement.OFF);
              s.warnOfOtherKeys();
              return policies;
            })
        .orElse(AdminConfig.DEFAULT.policies());
  }

  private WorkflowPolicies workflowPolicies(Section root) {
    WorkflowPolicies usual = WorkflowPolicies.DEFAULT;
    Optional<Section> found = root.section("workflowPolicies");
    if (found.isEmpty()) {
      return usual;
    }
    Section s = found.get().only(AdminForms.WORKFLOW_POLICIES.names());
    Optional<Section> security =
        s.section("security").map(x -> x.only(AdminForms.SECURITY.names()));
    Map<String, List<String>> access =
        security.flatMap(x -> x.section("secretsAccess")).map(this::access).orElse(Map.of());
    WorkflowPolicies policies =
        new WorkflowPolicies(
            s.duration("maxWorkflowDuration", usual.maxWorkflowDuration()),
            s.integer("maxConcurrentWorkflows", 1L, 1_000_000L).map(Long::intValue),
            s.integer("maxStepsPerWorkflow", 1, 1_000, usual.maxStepsPerWorkflow()),
            s.strings("allowedStepTypes"),
            s.strings("requiredPlatformWorkflows"),
            s.strings("allowedProductWorkflows"),
            security.map(x -> x.strings("requireApproval")).orElse(List.of()),
            security.map(x -> x.strings("allowedExecutors")).orElse(List.of()),
            access,
            security.filter(x -> x.bool("allowSelfApproval", false)).isPresent()
                ? AdminConfig.SelfApproval.ALLOWED
                : AdminConfig.SelfApproval.REFUSED);
    EngineSection.between(
        s,
        "maxWorkflowDuration",
        policies.maxWorkflowDuration(),
        Duration.ofSeconds(1),
        Duration.ofDays(365));
    known(s, "allowedStepTypes", policies.allowedStepTypes());
    security.ifPresent(Section::warnOfOtherKeys);
    s.ignoring("workflowsRoot").warnOfOtherKeys();
    return policies;
  }

  private void known(Section s, String key, List<String> types) {
    for (String type : types) {
      if (!stepTypes.isEmpty() && !stepTypes.contains(type)) {
        String hint = Nearest.hint(type, stepTypes);
        s.warning(key, "unknown-step-type", "there is no step type '" + type + "'", hint);
      }
    }
  }

  /** Secrets by provider or team. Words that older configurations have here restrict nothing. */
  private Map<String, List<String>> access(Section s) {
    Map<String, List<String>> access = new LinkedHashMap<>();
    for (String whose : s.keys()) {
      if (s.value(whose).orElse(null) instanceof String) {
        s.warning(
            whose,
            "ignored-value",
            "a word restricts nothing",
            "Write the names of the secrets that the provider or team may be granted: [NAME, ...]");
      } else {
        access.put(whose, s.strings(whose));
      }
    }
    return access;
  }
}
