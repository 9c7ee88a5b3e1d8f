package dev.slipway.server.api;

import dev.slipway.engine.graph.TrunkKinds;
import dev.slipway.web.branch.Branches;
import dev.slipway.web.kind.Column.Form;
import dev.slipway.web.kind.Kind;
import dev.slipway.web.kind.Verb;
import java.util.ArrayList;
import java.util.List;

/** Rows of the table of kinds. */
public final class KindRows {
  private static final String EXPLAIN = "/api/nodes/{node}/explain";
  private static final String GRAPH = "/api/nodes/{node}/graph";
  private static final String EXPORT = "/api/nodes/{node}/graph/export?format={format}";

  private KindRows() {}

  /** The rows of the trunk and of these branches. */
  public static List<Kind> with(Branches branches) {
    List<Kind> rows = new ArrayList<>(branches.kinds());
    rows.addAll(
        List.of(
            environment(),
            run(),
            approval(),
            provider(),
            cluster(),
            goldenPath(),
            AccessKinds.team()));
    rows.addAll(List.of(AccessKinds.user(), AccessKinds.apiKey(), AccessKinds.auditHold()));
    return rows;
  }

  private static Kind environment() {
    return Kind.ofInstallation("environment", "environments")
        .shortNames("env", "envs")
        .nodes(TrunkKinds.ENVIRONMENT)
        .list("/api/environments")
        .get("/api/environments/{name}")
        .delete("/api/environments/{name}?confirm={name}{&cascade}")
        .explain(EXPLAIN)
        .graph(GRAPH, EXPORT)
        .events("/api/events?environment={name}", "environment.*")
        .column("NAME", "name")
        .column("TEAM", "team")
        .column("TYPE", "type")
        .column("PROTECTED", "protected")
        .column("APPLICATIONS", "applications")
        .column("EXPIRES IN", "expiresAt", Form.UNTIL)
        .column("AGE", "createdAt", Form.AGE)
        .wide("CLUSTER", "cluster")
        .row();
  }

  private static Kind run() {
    return Kind.ofInstallation("run", "runs")
        .shortNames("workflow", "workflows", "wf")
        .nodes(TrunkKinds.RUN, TrunkKinds.STEP)
        .key("id")
        .list("/api/workflows{?application,environment,status,search,resource,parent}")
        .get("/api/workflows/{id}")
        .explain("/api/workflows/{id}/explain")
        .graph("/api/workflows/{id}/graph", "/api/workflows/{id}/graph/export?format={format}")
        .without(
            Verb.DELETE,
            "A run is a record and is forgotten after a while by itself. Stop one that goes on:"
                + " slipway run cancel ID")
        .states("status", List.of("succeeded"), List.of("failed", "partial", "cancelled"))
        .events("/api/events{?application,environment}", "workflow.*", "step.*")
        .column("ID", "id")
        .column("APPLICATION", "application")
        .column("WORKFLOW", "workflow")
        .column("OPERATION", "operation")
        .column("STATUS", "status")
        .column("TOOK", "durationMs", Form.DURATION)
        .column("AGE", "createdAt", Form.AGE)
        .wide("ENVIRONMENT", "environment")
        .wide("PROVIDER", "provider")
        .wide("RESOURCE", "resource")
        .wide("CAUSE", "cause")
        .wide("PARENT", "parentRunId")
        .row();
  }

  private static Kind approval() {
    return Kind.inEnvironments("approval", "approvals")
        .shortNames("ap")
        .key("id")
        .list("/api/approvals{?state}")
        .get("/api/approvals/{id}")
        .explain(EXPLAIN)
        .graph(GRAPH, EXPORT)
        .without(
            Verb.DELETE,
            "An approval is decided, not deleted: slipway approve ID, or slipway reject ID")
        .states("state", List.of("granted"), List.of("rejected", "expired", "void"))
        .events("/api/events{?application,environment}", "approval.*")
        .namedBy("approvalId")
        .column("ID", "id")
        .column("KIND", "kind")
        .column("STATE", "state")
        .column("APPLICATION", "application")
        .column("ENVIRONMENT", "environment")
        .column("REQUESTED BY", "requestedBy")
        .column("EXPIRES IN", "expiresAt", Form.UNTIL)
        .column("AGE", "createdAt", Form.AGE)
        .wide("MESSAGE", "message")
        .wide("RUN", "runId")
        .row();
  }

  private static Kind provider() {
    return Kind.ofInstallation("provider", "providers")
        .shortNames("prov")
        .nodes(TrunkKinds.PROVIDER, TrunkKinds.RESOURCE_TYPE)
        .list("/api/providers")
        .get("/api/providers/{name}")
        .explain(EXPLAIN)
        .graph(GRAPH, EXPORT)
        .without(
            Verb.DELETE,
            "The configuration names the providers. Remove it there, then: slipway provider"
                + " reload")
        .without(Verb.WAIT, "A provider has no states: it is in service or it is not listed.")
        .events("/api/events", "provider.*")
        .column("NAME", "name")
        .column("VERSION", "version")
        .column("CATEGORY", "category")
        .column("STATUS", "status")
        .column("TYPES", "resourceTypes")
        .wide("TEAM", "team")
        .wide("SOURCE", "source")
        .wide("COMMIT", "commit")
        .row();
  }

  private static Kind cluster() {
    return AccessKinds.stateless(Kind.ofInstallation("cluster", "clusters"), "A cluster")
        .list("/api/clusters")
        .get("/api/clusters/{name}")
        .without(
            Verb.DELETE,
            "The configuration names the clusters. Remove it there, then: slipway provider reload")
        .states("status", List.of("healthy"), List.of("misconfigured"))
        .column("NAME", "name")
        .column("STATUS", "status")
        .column("VERSION", "version")
        .column("MESSAGE", "message")
        .column("CHECKED", "checkedAt", Form.AGE)
        .row();
  }

  private static Kind goldenPath() {
    return AccessKinds.stateless(
            Kind.ofInstallation("golden-path", "golden-paths"), "A golden path")
        .shortNames("gp")
        .list("/api/golden-paths")
        .get("/api/golden-paths/{name}")
        .without(
            Verb.DELETE, "Its provider or the configuration brings a golden path: remove it there.")
        .without(
            Verb.WAIT, "A golden path has no states. Wait for a run of it: slipway wait run ID")
        .column("NAME", "name")
        .column("PROVIDER", "provider")
        .column("CATEGORY", "category")
        .column("TAKES", "estimatedDuration")
        .column("DESCRIPTION", "description")
        .wide("TEAMS", "allowedTeams")
        .row();
  }
}
