package dev.slipway.server.api;

import static dev.slipway.web.Route.delete;
import static dev.slipway.web.Route.get;
import static dev.slipway.web.Route.post;

import dev.slipway.postgres.retention.AuditHolds;
import dev.slipway.postgres.retention.AuditHolds.Hold;
import dev.slipway.postgres.retention.AuditHolds.Scope;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Fields;
import dev.slipway.web.Lists;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Legal holds on the audit log. */
public record AuditHoldApi(AuditHolds holds, Supplier<UUID> ids, InstantSource clock) {
  private static final int LONGEST = 2_000;

  public List<Route> routes() {
    return List.of(
        get("/api/audit/holds")
            .needs(Action.ADMINISTER)
            .named("listAuditHolds", "Legal holds: those in force, then those that were lifted")
            .paged()
            .gives(200, "a piece of the list", "AuditHold[]")
            .by(call -> Lists.piece(call, holds.all().stream().map(AuditHoldApi::view).toList())),
        post("/api/audit/holds")
            .needs(Action.ADMINISTER)
            .named("setAuditHold", "Keep entries of the audit log until the hold is lifted")
            .takes(Route.Content.JSON, "NewAuditHold")
            .gives(201, "the hold", "AuditHold")
            .is(Route.Trait.IDEMPOTENT)
            .by(this::set),
        delete("/api/audit/holds/{id}")
            .needs(Action.ADMINISTER)
            .named("liftAuditHold", "Let retention remove again what the hold kept")
            .gives(200, "the hold as it was", "AuditHold")
            .by(this::lift));
  }

  private Answer set(Call call) {
    Fields fields = call.json().only("reason", "team", "object", "from", "until");
    String reason = fields.requiredText("reason");
    if (reason.isBlank() || reason.length() > LONGEST) {
      throw Fields.wrongField("reason", "has 1 to " + LONGEST + " characters");
    }
    Scope scope =
        new Scope(
            fields.text("team").orElse(null),
            fields.text("object").orElse(null),
            time(fields, "from"),
            time(fields, "until"));
    Hold hold =
        new Hold(ids.get(), reason, scope, call.caller().name(), clock.instant(), null, null);
    holds.set(hold);
    return Answer.of(201, view(hold));
  }

  private static @Nullable Instant time(Fields fields, String name) {
    try {
      return fields.text(name).map(Instant::parse).orElse(null);
    } catch (DateTimeException e) {
      throw Fields.wrongField(name, "is a time such as 2026-01-31T00:00:00Z");
    }
  }

  private Answer lift(Call call) {
    UUID id = call.id("id", "hold");
    return holds
        .lift(id, call.caller().name(), clock.instant())
        .map(hold -> Answer.ok(view(hold)))
        .orElseThrow(() -> Problem.notFound("hold", id.toString()).exception());
  }

  private static Map<String, Object> view(Hold hold) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("id", hold.id());
    out.put("reason", hold.reason());
    out.put("team", hold.scope().team());
    out.put("object", hold.scope().object());
    out.put("from", hold.scope().from());
    out.put("until", hold.scope().until());
    out.put("createdBy", hold.createdBy());
    out.put("createdAt", hold.createdAt());
    out.put("liftedBy", hold.liftedBy());
    out.put("liftedAt", hold.liftedAt());
    out.values().removeIf(Objects::isNull);
    return out;
  }
}
