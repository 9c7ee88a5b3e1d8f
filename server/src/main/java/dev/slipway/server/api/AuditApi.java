package dev.slipway.server.api;

import static dev.slipway.web.Route.get;

import dev.slipway.postgres.access.AuditLog;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Paging;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import java.util.List;

/** The audit log. */
public record AuditApi(AuditLog log) {
  public List<Route> routes() {
    return List.of(
        get("/api/audit")
            .needs(Action.ADMINISTER)
            .named("listAudit", "Changing calls and revealed secrets, newest first")
            .query("user", "only what this user did")
            .query("action", "only this operation")
            .query("object", "only what was done to this path")
            .paged()
            .gives(200, "a piece of the list", "AuditEntry[]")
            .by(this::list));
  }

  private Answer list(Call call) {
    Paging paging = Paging.of(call);
    AuditLog.Filter filter =
        new AuditLog.Filter(
            call.query("user").orElse(null),
            call.query("action").orElse(null),
            call.query("object").orElse(null));
    return Answer.ok(
        Paging.page(log.list(filter, paging.afterNumber(), paging.limit()), entry -> entry));
  }
}
