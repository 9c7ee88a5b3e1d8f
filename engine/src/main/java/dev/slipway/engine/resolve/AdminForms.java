package dev.slipway.engine.resolve;

import static dev.slipway.engine.grammar.Field.old;
import static dev.slipway.engine.grammar.Field.optional;
import static dev.slipway.engine.grammar.Field.required;

import dev.slipway.engine.grammar.Field;
import dev.slipway.engine.grammar.Form;
import dev.slipway.engine.grammar.Form.Others;
import dev.slipway.engine.grammar.Grammar;
import dev.slipway.engine.grammar.Rule;
import dev.slipway.engine.grammar.Shape;
import dev.slipway.engine.grammar.Shape.Either;
import dev.slipway.engine.grammar.Shape.In;
import dev.slipway.engine.grammar.Shape.ListOf;
import dev.slipway.engine.grammar.Shape.MapOf;
import dev.slipway.engine.grammar.Shape.Matching;
import dev.slipway.engine.grammar.Shape.Referring;
import dev.slipway.engine.grammar.Shape.Whole;
import dev.slipway.engine.grammar.Shape.Words;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Pattern;

/** Every map of an {@code admin-config.yaml}. Any string may be a {@code ${env:X}}. */
public final class AdminForms {
  static final List<String> INTEGRATIONS =
      List.of(
          "gitea", "argocd", "vault", "keycloak", "minio", "prometheus", "grafana", "aap", "eda");

  private static final Shape DURATION = new Referring(Shape.DURATION);
  private static final Shape SOURCE = new Referring(new Words("filesystem", "git"));

  static final Form GRANTS =
      Form.of(
              "grants",
              "What steps of a provider may reach. Nothing is granted by default.",
              optional("secrets", Shape.TEXTS, "names of secrets"),
              optional("clusters", Shape.TEXTS, "names of clusters that kubernetes steps may use"),
              optional(
                  "kinds",
                  Shape.TEXTS,
                  "Kubernetes kinds that kubernetes steps need a grant for, written"
                      + " `ClusterRole.rbac.authorization.k8s.io`: kinds without a namespace, and"
                      + " those that give rights or lead traffic elsewhere"),
              optional(
                  "hosts",
                  Shape.TEXTS,
                  "hosts that http and git steps may call: a name, `*.example.org`, `*`; loopback"
                      + " and private addresses only if they are named here too, as an address or"
                      + " a network (`10.1.0.0/16`)"),
              optional(
                  "connections",
                  Shape.TEXTS,
                  "names of connections that sql steps may use; `postgres` is also the embedded"
                      + " server for workloads"),
              optional("templates", Shape.TEXTS, "names of job templates"),
              optional(
                  "repositories",
                  Shape.TEXTS,
                  "addresses of repositories that git and gitea-repo steps may use; `/*` at the end"
                      + " stands for everything below"),
              optional("projects", Shape.TEXTS, "names of projects"))
          .others(Others.WARNED);

  static final Form GIT_CREDENTIALS =
      Form.of(
              "gitCredentials",
              "How to get into a provider's repository: a password or token, or a private key."
                  + " Write `${env:NAME}` or `${file:PATH}` for each secret.",
              optional("username", Shape.TEXT, "git", "who signs in"),
              optional("password", Shape.TEXT, "of the user, or a token in its place"),
              optional("token", Shape.TEXT, "the same as `password`"),
              optional("privateKey", Shape.TEXT, "the text of a private key, for ssh"),
              optional("sshKey", Shape.TEXT, "the same as `privateKey`"),
              optional("passphrase", Shape.TEXT, "of the private key"),
              optional(
                  "knownHosts",
                  Shape.TEXT,
                  "lines of a known_hosts file; needed with a private key, no other server is"
                      + " trusted"))
          .others(Others.WARNED)
          .with(new Rule.AtLeastOne("password", "token", "privateKey", "sshKey"));

  private static final Rule PATH = new Rule.AtLeastOne("path");
  private static final Rule URL = new Rule.AtLeastOne("url", "repository");

  static final Form SOURCE_ENTRY =
      Form.of(
              "providerSource",
              "One entry of `providers`: where a provider comes from.",
              optional("source", SOURCE, "`filesystem` or `git`; required unless `type` says it"),
              optional("type", SOURCE, "the same as `source`"),
              optional(
                  "path",
                  Shape.FILLED,
                  "the provider's directory, relative to this file; in a repository a"
                      + " subdirectory"),
              optional("url", Shape.FILLED, "of git: the repository"),
              optional("repository", Shape.FILLED, "the same as `url`"),
              optional(
                  "ref",
                  Shape.SCALAR,
                  "the default branch",
                  "of git: a full commit id, else a tag, else a branch"),
              optional("tag", Shape.SCALAR, "of git: a tag; it is fixed, and a moved one warns"),
              optional("branch", Shape.SCALAR, "of git: a branch; it is polled"),
              optional("commit", Shape.SCALAR, "of git: a full commit id"),
              optional("name", Shape.TEXT, "what the source is called in lists"),
              optional("enabled", Shape.TRUTH, "true", "false leaves it out"),
              optional(
                  "precedence",
                  new Whole(-1_000_000, 1_000_000),
                  "0",
                  "of several that claim a type, the highest that can do it wins"),
              optional("team", Shape.TEXT, "platform", "whose provider it is"),
              optional("environments", Shape.TEXTS, "every environment", "the only ones it serves"),
              optional("pollInterval", DURATION, "60s", "of git: between two looks at a branch"),
              optional(
                  "credentials",
                  new Either(Shape.FILLED, new In(GIT_CREDENTIALS)),
                  "of git: a token, or see [credentials](#gitcredentials)"),
              optional("grants", new In(GRANTS), "see [grants](#grants)"),
              optional("category", Shape.ANYTHING, "for people"))
          .others(Others.WARNED)
          .with(
              new Rule.ExactlyOne("source", "type"),
              new Rule.AtMostOne("url", "repository"),
              new Rule.AtMostOne("ref", "tag", "branch", "commit"),
              new Rule.Only("source", List.of("filesystem"), PATH),
              new Rule.Only("type", List.of("filesystem"), PATH),
              new Rule.Only("source", List.of("git"), URL),
              new Rule.Only("type", List.of("git"), URL));

  static final Form CONNECTION =
      Form.of(
              "connection",
              "One entry of `connections`: a database that sql steps may use.",
              required("url", Shape.FILLED, "a JDBC URL"),
              optional("username", Shape.TEXT, "who signs in"),
              optional("password", Shape.TEXT, "better `${env:NAME}` or `${file:PATH}`"))
          .others(Others.WARNED);

  private static final Shape NAMESPACES =
      new ListOf(
          new Referring(
              new Matching(ClusterSection.NAMESPACE.pattern(), "a namespace or pattern")));

  private static final Shape USER =
      new Referring(new Matching(ClusterSection.USER.pattern(), "the name of a user"));

  static final Form CLUSTER_TEAM =
      Form.of(
              "clusterTeam",
              "What one team has in a cluster beside what every team has.",
              optional(
                  "namespaces",
                  NAMESPACES,
                  "namespaces of the team; one named in full is the team's without more, one that"
                      + " matches a pattern with `*` has to be stamped as the team's"),
              optional("impersonate", USER, "the user as whom steps of the team act"))
          .others(Others.WARNED);

  static final Form CLUSTER =
      Form.of(
              "cluster",
              "One entry of `clusters`: a Kubernetes cluster for providers whose `grants.clusters`"
                  + " name it. It has one of `kubeconfig`, `server` and `inCluster`.",
              optional(
                  "kubeconfig",
                  Shape.FILLED,
                  "the text of a kubeconfig: `${file:PATH}`, which is read again when the file"
                      + " changes"),
              optional("context", Shape.TEXT, "the kubeconfig's own", "a context of it"),
              optional(
                  "inCluster",
                  Shape.TRUTH,
                  "false",
                  "the cluster in which this server runs, with its pod's service account"),
              optional(
                  "server",
                  new Referring(new Matching(ClusterSection.ADDRESS.pattern(), "an https address")),
                  "the https address of the API server"),
              optional("ca", Shape.TEXT, "with `server`: certificates in PEM, `${file:PATH}`"),
              optional(
                  "token",
                  Shape.TEXT,
                  "with `server`: of a service account, `${file:PATH}` or `${env:NAME}`"),
              optional(
                  "impersonate",
                  USER,
                  "the user as whom steps act, so that the cluster's own rules hold for them;"
                      + " `{team}` stands for the team:"
                      + " `system:serviceaccount:{team}:slipway`"),
              optional(
                  "namespaces",
                  NAMESPACES,
                  "none",
                  "patterns for the namespaces of every team, such as `{team}-*`; a namespace that"
                      + " matches has to be stamped as the team's, as `create-namespace` does"),
              optional("teams", new MapOf(new In(CLUSTER_TEAM)), "see [teams](#clusterteam)"))
          .others(Others.WARNED)
          .with(new Rule.ExactlyOne("kubeconfig", "server", "inCluster"));

  private static Shape size(long least) {
    return new Shape.Either(
        new Whole(least, Long.MAX_VALUE),
        new Referring(new Shape.Matching("\\d{1,15}(?:\\.\\d{1,3})?(?:[KMGT]i?B?)?", "a size")));
  }

  static final Form LIMITS =
      Form.of(
              "limits",
              "How much one step may use that runs programs, with everything it starts. Sizes are"
                  + " bytes, or numbers with a unit such as `512Mi`.",
              optional("memory", size(1 << 20), "2Gi", "memory"),
              optional("processes", new Whole(2, 1_000_000), "1024", "processes and threads"),
              optional("output", size(1 << 10), "256Mi", "what it prints"),
              optional("disk", size(1 << 16), "4Gi", "files in its private directory"),
              optional("openFiles", new Whole(16, 1_000_000), "4096", "open files of a process"),
              optional(
                  "user",
                  Shape.TEXT,
                  "`slipway-steps`, where the machine has it",
                  "the user of the machine as which programs run, by name, uid or `uid:gid`; needs"
                      + " a server that runs as root. Other servers run programs as their own user"))
          .others(Others.WARNED);

  static final Form ENGINE =
      Form.of(
              "engine",
              "How runs are worked off.",
              optional(
                  "pollInterval",
                  DURATION,
                  "5s",
                  "between two polls for work without a notification"),
              optional("batchSize", new Whole(1, 10_000), "100", "runs taken at once"),
              optional(
                  "workers",
                  new Whole(1, 10_000),
                  "4 a core, at least 64",
                  "programs of steps at the same time; one provider gets at most half"),
              optional(
                  "lease",
                  DURATION,
                  "15s",
                  "after which another replica takes over from one that is silent; 2s to 10m"),
              optional(
                  "retention",
                  DURATION,
                  "90d",
                  "how long finished runs are kept with their steps, logs and approvals, at least"
                      + " 1h; the last run of each resource that exists stays"),
              optional(
                  "maxQueuedRuns",
                  new Whole(1, 10_000_000),
                  "100000",
                  "with more waiting to begin, requests that start runs get 503 and Retry-After"),
              optional(
                  "maxWrites",
                  new Whole(1, 10_000),
                  "128",
                  "requests of one server that change something at the same time; more get 429 and"
                      + " Retry-After"),
              optional("limits", new In(LIMITS), "see [limits](#limits)"))
          .others(Others.WARNED);

  static final Form OBSERVE =
      Form.of(
              "observe",
              "How resources are looked at whose provider has a `read` workflow. Each is looked at"
                  + " after every run and once an interval, spread out over it.",
              optional("interval", DURATION, "5m", "between two looks at one resource; 5s to 7d"),
              optional(
                  "drift",
                  new Words("report", "correct", "ignore"),
                  "report",
                  "what follows when a look finds a resource gone or changed: `report` shows it,"
                      + " `correct` makes it again or brings it back to what is asked for, `ignore`"
                      + " leaves alone what was changed; annotation `slipway.dev/drift` of a"
                      + " resource in a Score document says otherwise for that one"))
          .others(Others.WARNED);

  static final Form RETENTION =
      Form.of(
              "retention",
              "How long rows are kept that nothing under way needs. Durations are 1h to 36500d."
                  + " Runs have `engine.retention`.",
              optional("plans", DURATION, "30d", "plans that no deployment and no revision has"),
              optional(
                  "audit", DURATION, "730d", "entries of the audit log that no legal hold keeps"),
              optional(
                  "deleted",
                  DURATION,
                  "90d",
                  "applications and resources that are gone, with their revisions, deployments,"
                      + " transitions and Terraform states"),
              optional(
                  "history",
                  DURATION,
                  "90d",
                  "transitions of resources (the newest 20 of each stay) and approvals whose run or"
                      + " deployment is gone"),
              optional(
                  "credentials", DURATION, "30d", "API keys and login sessions after their end"),
              optional(
                  "revisions",
                  new Whole(1, 100_000),
                  "100",
                  "newest revisions of each application; the one in force stays"),
              optional(
                  "deployments",
                  new Whole(1, 100_000),
                  "500",
                  "newest deployments of each application; the one in force and open ones stay"))
          .others(Others.WARNED);

  static final Pattern PUBLIC_URL =
      Pattern.compile("https?://[A-Za-z0-9]([A-Za-z0-9.-]{0,252}[A-Za-z0-9])?(:[0-9]{1,5})?/?");

  static final Form SERVER =
      Form.of(
              "server",
              "How clients reach this server.",
              optional(
                  "publicUrl",
                  new Referring(
                      new Matching(
                          PUBLIC_URL.pattern(), "an http or https address without a path")),
                  "where it listens",
                  "where browsers reach it, when a proxy stands before it; with https the session"
                      + " cookie is `Secure`"),
              optional(
                  "trustedProxies",
                  new ListOf(
                      new Matching(
                          AddressRange.FORM.pattern(),
                          "an address or a network such as 10.0.0.0/24")),
                  "none",
                  "proxies before the server. Only from these `X-Forwarded-For` and `Forwarded` are"
                      + " read, from right to left, to learn the address of the client; login"
                      + " limits and the audit log use it"))
          .others(Others.WARNED);

  static final Form POLICIES =
      Form.of(
              "policies",
              "Rules for what is asked for.",
              optional(
                  "allowedEnvironments",
                  Shape.TEXTS,
                  "every environment",
                  "the only environments that a deployment may create"),
              optional(
                  "enforceBackups",
                  Shape.TRUTH,
                  "false",
                  "params that turn `backup` or `backups` off are refused"))
          .others(Others.WARNED);

  static final Form SECURITY =
      Form.of(
              "security",
              "Who may run what.",
              optional(
                  "requireApproval",
                  Shape.TEXTS,
                  "environments in which every deployment, teardown and golden path waits for an"
                      + " approval"),
              optional(
                  "allowSelfApproval",
                  Shape.TRUTH,
                  "false",
                  "requesters may decide about their own plans, and about steps that say"
                      + " `allowSelf`; without it only on a server with one account"),
              optional(
                  "allowedExecutors",
                  Shape.TEXTS,
                  "platform",
                  "teams whose providers may run programs on the server (`shell`, `terraform`,"
                      + " `ansible`, ...)"),
              optional(
                  "secretsAccess",
                  new MapOf(new Shape.Either(Shape.TEXT, Shape.TEXTS, new Shape.Nothing())),
                  "secrets by provider or team; narrows what grants allow"))
          .others(Others.WARNED);

  static final Form WORKFLOW_POLICIES =
      Form.of(
              "workflowPolicies",
              "Rules for what runs. An empty list restricts nothing.",
              optional("maxWorkflowDuration", DURATION, "30m", "after which a run fails"),
              optional(
                  "maxConcurrentWorkflows",
                  new Whole(1, 1_000_000),
                  "no limit",
                  "runs at the same time, on all replicas together"),
              optional("maxStepsPerWorkflow", new Whole(1, 1_000), "50", "steps of one workflow"),
              optional(
                  "allowedStepTypes", Shape.TEXTS, "every type", "the only step types allowed"),
              optional(
                  "requiredPlatformWorkflows",
                  Shape.TEXTS,
                  "workflows that run before each deployment"),
              optional(
                  "allowedProductWorkflows",
                  Shape.TEXTS,
                  "all",
                  "the only golden paths and sub-workflows allowed"),
              optional("security", new In(SECURITY), "see [security](#security)"),
              optional("workflowOverrides", Shape.ANYTHING, "for people"),
              old("workflowsRoot", Shape.ANYTHING, "workflows stand in their providers"))
          .others(Others.WARNED);

  static final Form CONFIGURATION = configuration();

  private static Form configuration() {
    List<Field> integrations =
        INTEGRATIONS.stream()
            .map(
                name ->
                    optional(
                        name,
                        Shape.OPEN_MAP,
                        "`url` and credentials for the executors that use it"))
            .toList();
    return Form.of(
            "configuration",
            "The file as a whole. Strings accept `${env:NAME}` and `${file:PATH}`; a secret that"
                + " stands in the file itself is warned of.",
            optional(
                "providers",
                new ListOf(new In(SOURCE_ENTRY)),
                "where providers come from; see [providers](#providersource)"),
            optional(
                "connections",
                new MapOf(new In(CONNECTION)),
                "databases by name; see [connections](#connection)"),
            optional(
                "clusters",
                new MapOf(new In(CLUSTER)),
                "Kubernetes clusters by name; see [clusters](#cluster)"),
            optional(
                "secrets",
                new MapOf(Shape.TEXT),
                "secrets by name that `grants.secrets` gives to providers; steps find `npm-token`"
                    + " as variable `NPM_TOKEN` and as `.context.secrets.npm-token`"),
            optional("server", new In(SERVER), "see [server](#server)"),
            optional("engine", new In(ENGINE), "see [engine](#engine)"),
            optional("retention", new In(RETENTION), "see [retention](#retention)"),
            optional("observe", new In(OBSERVE), "see [observe](#observe)"),
            optional("policies", new In(POLICIES), "see [policies](#policies)"),
            optional(
                "workflowPolicies",
                new In(WORKFLOW_POLICIES),
                "see [workflowPolicies](#workflowpolicies)"),
            optional("goldenPaths", Shape.TEXT, "path of a `goldenpaths.yaml`"),
            optional(
                "healthRules",
                Shape.TEXT,
                "directory with rules of health for Kubernetes objects; see"
                    + " [rules of health](health-rules.md)"))
        .extended("configuration", integrations)
        .extended(
            "configuration",
            List.of(
                optional("admin", Shape.ANYTHING, "for people"),
                optional("resourceDefinitions", Shape.ANYTHING, "for people"),
                optional("workflowOverrides", Shape.ANYTHING, "for people")))
        .others(Others.WARNED);
  }

  /** Everything that such a file may hold. */
  public static final Grammar GRAMMAR =
      new Grammar(
          "admin-config",
          "The configuration of a Slipway server (admin-config.yaml)",
          new In(CONFIGURATION),
          Grammar.Spellings.CAMEL_AND_SNAKE,
          List.of(
              CONFIGURATION,
              SOURCE_ENTRY,
              GIT_CREDENTIALS,
              GRANTS,
              CONNECTION,
              CLUSTER,
              CLUSTER_TEAM,
              SERVER,
              ENGINE,
              RETENTION,
              OBSERVE,
              LIMITS,
              POLICIES,
              WORKFLOW_POLICIES,
              SECURITY),
          new LinkedHashMap<>());

  private AdminForms() {}
}
