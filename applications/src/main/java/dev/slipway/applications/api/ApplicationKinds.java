package dev.slipway.applications.api;

import dev.slipway.web.kind.Column.Form;
import dev.slipway.web.kind.Kind;
import java.util.List;

/** What Score documents bring to the table of kinds. */
public final class ApplicationKinds {
  private ApplicationKinds() {}

  public static List<Kind> rows() {
    return List.of(application(), resource(), deployment(), plan());
  }

  private static Kind application() {
    return Kind.inEnvironments("application", "applications")
        .shortNames("app", "apps")
        .node("application")
        .list("/api/applications{?environment,team,state}")
        .get("/api/applications/{name}{?environment}")
        .delete("/api/applications/{name}?confirm={name}{&environment,orphan}")
        .explain("/api/applications/{name}/explain{?environment}")
        .graph("/api/graph/{name}{?environment}")
        .states("state", List.of("active"), List.of("failed", "degraded"))
        .events("spec.*", "deployment.*")
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
        .node("resource")
        .key("id")
        .label("application", "application")
        .label("name")
        .list("/api/resources{?application,environment,type,state,provider}")
        .get("/api/resources/{id}")
        .delete("/api/resources/{id}?confirm={name}{&orphan}")
        .explain("/api/applications/{application}/explain?resource={name}{&environment}")
        .graph("/api/graph/{application}{?environment}")
        .states("state", List.of("active"), List.of("failed", "degraded"))
        .events("resource.*")
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
        .graph("/api/graph/{application}{?environment}")
        .states("status", List.of("completed"), List.of("failed", "superseded"))
        .events("deployment.*")
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
        .get("/api/plans/{hash}")
        .graph("/api/graph/{application}{?environment}")
        .column("HASH", "hash")
        .column("APPLICATION", "application")
        .column("ENVIRONMENT", "environment")
        .column("EFFECT", "effect")
        .row();
  }
}
