package dev.slipway.server.api;

import dev.slipway.engine.graph.TrunkKinds;
import dev.slipway.web.branch.Branches;
import dev.slipway.web.kind.Column.Form;
import dev.slipway.web.kind.Kind;
import java.util.ArrayList;
import java.util.List;

/** Rows of the table of kinds. */
public final class KindRows {
  private KindRows() {}

  /** The rows of the trunk and of these branches. */
  public static List<Kind> with(Branches branches) {
    List<Kind> rows = new ArrayList<>(branches.kinds());
    rows.addAll(List.of(environment(), run(), approval(), provider(), goldenPath(), team()));
    rows.addAll(List.of(user(), apiKey(), auditHold()));
    return rows;
  }

  private static Kind environment() {
    return Kind.ofInstallation("environment", "environments")
        .shortNames("env", "envs")
        .list("/api/environments")
        .get("/api/environments/{name}")
        .delete("/api/environments/{name}?confirm={name}{&cascade}")
        .events("environment.*")
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
    return Kind.inEnvironments("run", "runs")
        .shortNames("workflow", "workflows", "wf")
        .node(TrunkKinds.RUN.prefix())
        .key("id")
        .list("/api/workflows{?application,environment,status,search,resource,parent}")
        .get("/api/workflows/{id}")
        .explain("/api/applications/{application}/explain{?environment,resource}")
        .graph("/api/graph/{application}{?environment}")
        .states("status", List.of("succeeded"), List.of("failed", "partial", "cancelled"))
        .events("workflow.*", "step.*")
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
        .wide("PARENT", "parentRunId")
        .row();
  }

  private static Kind approval() {
    return Kind.inEnvironments("approval", "approvals")
        .shortNames("ap")
        .key("id")
        .list("/api/approvals{?state}")
        .get("/api/approvals/{id}")
        .explain("/api/applications/{application}/explain{?environment}")
        .graph("/api/graph/{application}{?environment}")
        .states("state", List.of("granted"), List.of("rejected", "expired", "void"))
        .events("approval.*")
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
        .node(TrunkKinds.PROVIDER.prefix())
        .list("/api/providers")
        .get("/api/providers/{name}")
        .graph("/api/graph?provider={name}")
        .events("provider.*")
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

  private static Kind goldenPath() {
    return Kind.ofInstallation("golden-path", "golden-paths")
        .shortNames("gp")
        .list("/api/golden-paths")
        .get("/api/golden-paths/{name}")
        .column("NAME", "name")
        .column("PROVIDER", "provider")
        .column("CATEGORY", "category")
        .column("TAKES", "estimatedDuration")
        .column("DESCRIPTION", "description")
        .wide("TEAMS", "allowedTeams")
        .row();
  }

  private static Kind team() {
    return Kind.ofInstallation("team", "teams")
        .list("/api/teams")
        .get("/api/teams/{name}")
        .delete("/api/teams/{name}")
        .column("NAME", "name")
        .column("DESCRIPTION", "description")
        .column("AGE", "createdAt", Form.AGE)
        .row();
  }

  private static Kind user() {
    return Kind.ofInstallation("user", "users")
        .list("/api/admin/users")
        .get("/api/admin/users/{name}")
        .delete("/api/admin/users/{name}")
        .column("NAME", "name")
        .column("DISPLAY NAME", "displayName")
        .column("DISABLED", "disabled")
        .column("AGE", "createdAt", Form.AGE)
        .row();
  }

  /** API keys of the caller. */
  private static Kind apiKey() {
    return Kind.ofInstallation("api-key", "api-keys")
        .shortNames("token", "tokens")
        .key("id")
        .label("name")
        .list("/api/profile/api-keys")
        .delete("/api/profile/api-keys/{id}")
        .column("ID", "id")
        .column("NAME", "name")
        .column("EXPIRES IN", "expiresAt", Form.UNTIL)
        .column("LAST USED", "lastUsedAt", Form.AGE)
        .column("AGE", "createdAt", Form.AGE)
        .row();
  }

  private static Kind auditHold() {
    return Kind.ofInstallation("audit-hold", "audit-holds")
        .shortNames("hold", "holds")
        .key("id")
        .list("/api/audit/holds")
        .delete("/api/audit/holds/{id}")
        .column("ID", "id")
        .column("REASON", "reason")
        .column("TEAM", "team")
        .column("BY", "createdBy")
        .column("AGE", "createdAt", Form.AGE)
        .row();
  }
}
