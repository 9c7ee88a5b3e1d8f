package dev.slipway.applications.api;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.web.kind.Column.Form;
import dev.slipway.web.kind.Kind;
import dev.slipway.web.kind.Verb;
import java.util.List;

/** What Score documents bring to the table of kinds. */
public final class ApplicationKinds {
  private static final String EVENTS = "/api/events{?application,environment}";
  private static final String GRAPH = "/api/graph/{application}{?environment}";
  private static final String EXPORT =
      "/api/graph/{application}/export?format={format}{&environment}";

  private ApplicationKinds() {}

  public static List<Kind> rows() {
    return List.of(application(), resource(), deployment(), plan());
  }

  private static Kind application() {
    return Kind.inEnvironments("application", "applications")
        .shortNames("app", "apps")
        .alone()
        .nodes(ApplicationRefs.APPLICATION, ApplicationRefs.SPEC)
        .list("/api/applications{?environment,team,state}")
        .get("/api/applications/{name}{?environment}")
        .delete("/api/applications/{name}?confirm={name}{&environment,orphan}")
        .explain("/api/applications/{name}/explain{?environment}")
        .graph(
            "/api/graph/{name}{?environment}",
            "/api/graph/{name}/export?format={format}{&environment}")
        .states("state", List.of("active"), List.of("failed", "degraded"))
        .events("/api/events?application={name}{&environment}", "spec.*", "deployment.*")
        .column("NAME", "name")
        .column("ENVIRONMENT", "environment")
        .column("TEAM", "team")
        .column("STATE", "state")
        .column("REVISION", "revision")
        .column("AGE", "createdAt", Form.AGE)
        .wide("VERSION", "version")
        .wide("ID", "id")
        .row();
  }

  private static Kind resource() {
    return Kind.inEnvironments("resource", "resources")
        .shortNames("res")
        .nodes(ApplicationRefs.RESOURCE)
        .key("id")
        .label("application", "application")
        .label("name")
        .list("/api/resources{?application,environment,type,state,provider}")
        .get("/api/resources/{id}")
        .delete("/api/resources/{id}?confirm={name}{&orphan}")
        .explain("/api/applications/{application}/explain?resource={name}{&environment}")
        .graph(GRAPH, EXPORT)
        .states("state", List.of("active"), List.of("failed", "degraded"))
        .events(EVENTS, "resource.*", "provider.resolved")
        .column("ID", "id")
        .column("APPLICATION", "application")
        .column("NAME", "name")
        .column("TYPE", "type")
        .column("STATE", "state")
        .column("HEALTH", "health")
        .column("ENVIRONMENT", "environment")
        .wide("IDENTITY", "identity")
        .wide("PROVIDER", "provider")
        .wide("RUN", "runId")
        .row();
  }

  private static Kind deployment() {
    return Kind.inEnvironments("deployment", "deployments")
        .shortNames("deploy")
        .key("id")
        .list("/api/deployments{?application,environment}")
        .get("/api/deployments/{id}")
        .explain("/api/applications/{application}/explain{?environment}")
        .graph(GRAPH, EXPORT)
        .without(
            Verb.DELETE,
            "A deployment is a record of what was done. Delete the application, or go back to an"
                + " earlier revision: slipway rollback APP REVISION")
        .states("status", List.of("completed"), List.of("failed", "superseded"))
        .events(EVENTS, "deployment.*")
        .namedBy("deploymentId")
        .column("ID", "id")
        .column("APPLICATION", "application")
        .column("ENVIRONMENT", "environment")
        .column("KIND", "kind")
        .column("REVISION", "revision")
        .column("STATUS", "status")
        .column("AGE", "createdAt", Form.AGE)
        .wide("BY", "createdBy")
        .wide("PLAN", "planHash")
        .row();
  }

  private static Kind plan() {
    return Kind.inEnvironments("plan", "plans")
        .key("hash")
        .list("/api/plans{?application,environment}")
        .get("/api/plans/{hash}")
        .graph("/api/plans/{hash}/graph", "/api/plans/{hash}/graph/export?format={format}")
        .without(Verb.DELETE, "A plan changes nothing and is forgotten after a while by itself.")
        .without(
            Verb.EXPLAIN,
            "A plan is only a comparison, so there is nothing that it could wait for. See what it"
                + " would do: slipway describe plan HASH; why its application is not active:"
                + " slipway explain APP")
        .without(
            Verb.WAIT,
            "A plan has no states. Wait for what is made of it: slipway wait deployment ID")
        .column("HASH", "hash")
        .column("APPLICATION", "application")
        .column("ENVIRONMENT", "environment")
        .column("EFFECT", "effect")
        .column("AGE", "createdAt", Form.AGE)
        .wide("BY", "createdBy")
        .row();
  }
}
