package dev.slipway.server;

import dev.slipway.engine.execute.ClaimHealth;
import dev.slipway.engine.graph.EventNodes;
import dev.slipway.engine.graph.TrunkEventNodes;
import dev.slipway.engine.threads.Supervision;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.access.Approvals;
import dev.slipway.postgres.access.LoginLimits;
import dev.slipway.postgres.access.RepeatedRequests;
import dev.slipway.postgres.environments.EnvironmentSource;
import dev.slipway.postgres.nodes.NodeSource;
import dev.slipway.postgres.nodes.NodeSources;
import dev.slipway.postgres.overview.RunSource;
import dev.slipway.postgres.retention.AuditHolds;
import dev.slipway.postgres.runs.RunQueue;
import dev.slipway.server.api.AdminApi;
import dev.slipway.server.api.ApiKeyApi;
import dev.slipway.server.api.ApprovalApi;
import dev.slipway.server.api.AuditApi;
import dev.slipway.server.api.AuditHoldApi;
import dev.slipway.server.api.ClusterApi;
import dev.slipway.server.api.EnvironmentApi;
import dev.slipway.server.api.EventApi;
import dev.slipway.server.api.GoldenPathApi;
import dev.slipway.server.api.HealthAssessApi;
import dev.slipway.server.api.KeyApi;
import dev.slipway.server.api.KindRows;
import dev.slipway.server.api.NodeApi;
import dev.slipway.server.api.NodeExplanations;
import dev.slipway.server.api.ProviderApi;
import dev.slipway.server.api.RunApi;
import dev.slipway.server.api.RunGraphs;
import dev.slipway.server.api.SchemaApi;
import dev.slipway.server.api.SignInApi;
import dev.slipway.server.api.SystemApi;
import dev.slipway.server.api.TeamApi;
import dev.slipway.server.api.UserApi;
import dev.slipway.server.golden.GoldenPathRun;
import dev.slipway.steps.SchemaCatalog;
import dev.slipway.web.Admission;
import dev.slipway.web.ClientAddress;
import dev.slipway.web.HttpServer;
import dev.slipway.web.OpenApi;
import dev.slipway.web.PublicAddress;
import dev.slipway.web.Route;
import dev.slipway.web.access.Authentication;
import dev.slipway.web.branch.Branches;
import dev.slipway.web.branch.OpenBranches;
import dev.slipway.web.kind.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All parts of a running server, put together by constructor calls, one stage after the other. */
final class Wiring implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Wiring.class);

  final List<Route> routes;
  final HttpServer http;
  private final Given given;
  private final Foundation foundation;
  private final Resolving resolving;
  private final Executing executing;
  private final Reconciling reconciling;
  private final Observing observing;
  final EventNodes nodes;
  final NodeSources sources;
  private final Access access;
  private final RunsByHand byHand;
  private final EventApi events;
  private final PublicAddress address;

  /** What there is before the parts are put together. */
  record Given(
      Options options,
      Branches branches,
      Database database,
      Optional<Workloads> workloads,
      Optional<EmbeddedCluster> cluster,
      DataDirectory data,
      Configuration.Read read) {}

  Wiring(Given given, Supervision supervision) {
    this.given = given;
    this.foundation = Foundation.of(given, supervision);
    this.resolving = Resolving.of(given, foundation);
    this.executing = Executing.of(given, foundation, resolving);
    this.reconciling = Reconciling.of(foundation, resolving, executing);
    this.observing = Observing.of(given, foundation, resolving, executing, reconciling);
    this.access = Access.of(foundation, reconciling.occupants());
    this.byHand = RunsByHand.of(foundation, resolving, executing, reconciling);
    this.nodes = eventNodes(executing.branches());
    this.sources = nodeSources();
    this.events = new EventApi(observing.events(), nodes, executing.notifications());
    this.address = new PublicAddress(() -> resolving.settings().config().server().publicUrl());
    this.routes = routes();
    this.http = http();
    foundation
        .metrics()
        .streams(() -> Map.of("events", events.open(), "logs", byHand.logs().open()));
    foundation.metrics().connections(http::connections);
  }

  private List<Route> routes() {
    List<Route> all = new ArrayList<>();
    all.addAll(ofSystem(all));
    all.addAll(ofAccess());
    all.addAll(ofRuns());
    all.addAll(events.routes());
    all.addAll(executing.branches().routes());
    all.add(new Kinds(KindRows.with(given.branches())).linking(all).route());
    return List.copyOf(all);
  }

  /** The server itself: health, contract, configuration, providers. */
  private List<Route> ofSystem(List<Route> all) {
    List<Route> routes = new ArrayList<>();
    routes.addAll(
        new SystemApi(
                observing.health(),
                foundation.metrics(),
                () -> observing.refresh(foundation, executing),
                () -> OpenApi.document(all, given.branches().schemas(), Version.TEXT))
            .routes());
    routes.addAll(new SchemaApi(SchemaCatalog.all()).routes());
    routes.addAll(new HealthAssessApi(resolving.settings()::healthRules).routes());
    routes.addAll(
        new ProviderApi(
                resolving.registry()::current,
                resolving.registry()::reload,
                resolving.registry()::sources,
                resolving.git())
            .routes());
    routes.addAll(new ClusterApi(executing.clusters()).routes());
    routes.addAll(
        new AdminApi(
                resolving.settings()::config,
                () -> resolving.settings().reload(resolving.registry()),
                observing.statistics(),
                resolving.registry()::current)
            .routes());
    return routes;
  }

  /** Accounts, teams, environments and the records of what they did. */
  private List<Route> ofAccess() {
    Jdbi jdbi = given.database().jdbi();
    List<Route> routes = new ArrayList<>();
    routes.addAll(
        new SignInApi(
                new SignInApi.Stores(
                    access.accounts(), access.credentials(), new LoginLimits(jdbi)),
                access.passwords(),
                access.tokens(),
                foundation.ids(),
                address,
                foundation.clock())
            .routes());
    routes.addAll(
        new ApiKeyApi(
                access.accounts(),
                access.credentials(),
                access.tokens(),
                foundation.ids(),
                foundation.clock())
            .routes());
    routes.addAll(new UserApi(access.accounts(), access.passwords(), foundation.clock()).routes());
    routes.addAll(new TeamApi(access.teams(), foundation.clock()).routes());
    routes.addAll(new EnvironmentApi(reconciling.environments()).routes());
    routes.addAll(new AuditApi(executing.audit()).routes());
    routes.addAll(
        new AuditHoldApi(new AuditHolds(jdbi), foundation.ids(), foundation.clock()).routes());
    routes.addAll(
        new KeyApi(foundation.box()::keys, foundation.sealingKey(), foundation.keyWatch())
            .routes());
    return routes;
  }

  private List<Route> ofRuns() {
    List<Route> routes = new ArrayList<>();
    routes.addAll(
        new RunApi(
                byHand.list(),
                executing.runs(),
                byHand.retries(),
                byHand.logs(),
                byHand.stored(),
                foundation.clock())
            .routes());
    routes.addAll(
        new NodeApi(
                new NodeExplanations(sources, given.database().jdbi()),
                sources,
                new RunGraphs(byHand.list(), byHand.stored()))
            .routes());
    routes.addAll(
        new ApprovalApi(
                new Approvals(given.database().jdbi()),
                reconciling.planned(),
                nodes,
                () -> resolving.settings().config().workflowPolicies().selfApproval(),
                foundation.clock())
            .routes());
    routes.addAll(
        new GoldenPathApi(
                byHand.goldenPaths(),
                reconciling.environments(),
                () -> new GoldenPathRun(foundation.box(), resolving.settings().config()),
                executing.runs(),
                reconciling.planned(),
                foundation.ids(),
                foundation.clock())
            .routes());
    return routes;
  }

  private HttpServer http() {
    Jdbi jdbi = given.database().jdbi();
    Settings settings = resolving.settings();
    return new HttpServer(
        routes,
        new HttpServer.Parts(
            new Authentication(access.credentials(), foundation.clock()),
            gate(settings, new RunQueue(jdbi)),
            new RepeatedRequests(jdbi, given.data().replica(), foundation.threads()),
            foundation.box(),
            executing.audit(),
            address,
            new ClientAddress(() -> settings.config().server().trustedProxies()),
            foundation.clock(),
            foundation.metrics(),
            foundation.threads()));
  }

  private static Admission gate(Settings settings, RunQueue queue) {
    return new Admission(
        () -> settings.config().engine().maxWrites(),
        SlipwayServer.CONNECTIONS_OF_WRITERS,
        () -> queue.length(settings.config().engine().maxQueuedRuns()),
        () -> settings.config().engine().maxQueuedRuns());
  }

  /** Every kind of node has one source: the trunk's have these, all others one of a branch. */
  private NodeSources nodeSources() {
    List<NodeSource> all = new ArrayList<>(executing.branches().nodes());
    all.add(new RunSource(foundation.clock()));
    all.add(new EnvironmentSource(executing.branches().occupants(), foundation.clock()));
    all.add(new RegistrySource(resolving.registry()::current));
    return new NodeSources(all);
  }

  /** The trunk names the nodes of runs, providers and environments; it is asked last. */
  private static EventNodes eventNodes(OpenBranches branches) {
    List<EventNodes> all = new ArrayList<>(branches.eventNodes());
    all.add(new TrunkEventNodes());
    return EventNodes.firstOf(all);
  }

  /** Whether runs can be claimed; known after the first attempt. */
  ClaimHealth claims() {
    return executing.engine().claims();
  }

  /**
   * Stops in the opposite order: no new requests, then no more work, then no more state. What one
   * part fails at must not keep the engine from giving its runs back.
   */
  @Override
  public void close() {
    List<AutoCloseable> parts =
        List.of(
            events,
            byHand.logs(),
            http,
            foundation.keyWatch(),
            observing.housekeeping(),
            resolving.watch(),
            resolving.git(),
            reconciling.loop(),
            executing.branches(),
            executing.engine(),
            executing.changes(),
            executing.clusters(),
            executing.leases(),
            executing.runs(),
            executing.notifications(),
            foundation.clock());
    for (AutoCloseable part : parts) {
      try {
        part.close();
      } catch (Throwable t) {
        LOG.warn("while stopping {}: {}", part.getClass().getSimpleName(), t.toString());
      }
    }
  }
}
