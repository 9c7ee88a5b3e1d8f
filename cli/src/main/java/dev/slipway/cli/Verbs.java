package dev.slipway.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/** All verbs by name. Only the one that is asked for is made, because making all takes a while. */
final class Verbs {
  private static final Map<String, Supplier<Verb>> ALL = new LinkedHashMap<>();

  static {
    ALL.put("demo", DemoVerb::new);
    ALL.put("validate", ValidateVerb::new);
    ALL.put("plan", PlanVerb::new);
    ALL.put("deploy", DeployVerb::new);
    ALL.put("status", StatusVerb::new);
    ALL.put("get", GetVerb::new);
    ALL.put("describe", DescribeVerb::new);
    ALL.put("wait", WaitVerb::new);
    ALL.put("explain", ExplainVerb::new);
    ALL.put("graph", GraphVerb::new);
    ALL.put("logs", LogsVerb::new);
    ALL.put("events", EventsVerb::new);
    ALL.put("destroy", DestroyVerb::new);
    ALL.put("delete", DeleteVerb::new);
    ALL.put("rollback", RollbackVerb::new);
    ALL.put("runs", RunsVerb::new);
    ALL.put("run", RunVerbs::new);
    ALL.put("approve", ApproveVerb::new);
    ALL.put("reject", RejectVerb::new);
    ALL.put("resource", ResourceVerbs::new);
    ALL.put("state", StateVerbs::new);
    ALL.put("environment", EnvironmentVerbs::new);
    ALL.put("golden-path", GoldenPathVerbs::new);
    ALL.put("provider", ProviderVerbs::new);
    ALL.put("health", HealthVerbs::new);
    ALL.put("simulate", SimulateVerb::new);
    ALL.put("template", TemplateVerb::new);
    ALL.put("login", LoginVerb::new);
    ALL.put("logout", LogoutVerb::new);
    ALL.put("whoami", WhoamiVerb::new);
    ALL.put("token", TokenVerbs::new);
    ALL.put("team", TeamVerbs::new);
    ALL.put("audit", AuditVerb::new);
    ALL.put("key", KeyVerbs::new);
    ALL.put("config", ConfigVerbs::new);
    ALL.put("up", UpVerb::new);
    ALL.put("kubectl", KubectlVerb::new);
    ALL.put("migrate", MigrateVerb::new);
    ALL.put("version", VersionVerb::new);
    ALL.put("completion", CompletionVerb::new);
  }

  private Verbs() {}

  /** Adds the verb that the arguments begin with; all when they begin with something else. */
  static void addTo(CommandLine root, String... arguments) {
    String first = arguments.length == 0 ? "" : arguments[0];
    if (ALL.containsKey(first) && !first.equals("completion")) {
      root.addSubcommand(first, ALL.get(first).get());
    } else {
      ALL.forEach((name, verb) -> root.addSubcommand(name, verb.get()));
    }
  }
}
