package dev.slipway.web;

import dev.slipway.postgres.access.AuditLog;
import dev.slipway.web.access.Authentication;
import dev.slipway.web.access.CoalescedAudit;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The audit entries of calls. The entry of a change is written in the transaction of the change: a
 * change without an entry does not happen. Refused and failed calls change nothing; their entries
 * are coalesced.
 */
record AuditTrail(AuditLog log, CoalescedAudit coalesced, InstantSource clock) {
  /** The account name in entries of callers that neither a token nor a password identified. */
  static final String UNKNOWN = "(unknown)";

  private static final String TOKEN_USE = "useToken";

  /** Writes the entry of a change; call it in the transaction of the change, after its effect. */
  void done(Call call, Answer answer) {
    log.append(entry(call, "done", answer.status()));
  }

  /** Writes the entry before an effect outside the database, which no transaction can include. */
  void begun(Call call) {
    log.append(entry(call, "begun", null));
  }

  /** The call changed nothing: it was refused, failed, or repeats one that was executed before. */
  void unchanged(Call call, Answer answer) {
    if (call.actor().isPresent() && call.route().isAudited()) {
      String outcome =
          answer.status() < 400 ? "replayed" : answer.status() < 500 ? "refused" : "failed";
      coalesced.add(
          call.actor().get() + " " + call.address(),
          call.route().operation() + " " + answer.status(),
          entry(call, outcome, answer.status()));
    }
  }

  /** The request carried a token that is not valid. */
  void denied(Call call, Authentication.Result.Denied denied) {
    String user = denied.account().orElse(UNKNOWN);
    Map<String, Object> detail = detail(call, 401);
    detail.put("reason", denied.reason());
    detail.put("fingerprint", denied.fingerprint());
    // Sending unknown tokens is free, so those of one address are coalesced into one kind.
    String kind = denied.account().isPresent() ? denied.reason() + denied.fingerprint() : "unknown";
    coalesced.add(
        user + " " + call.address(),
        TOKEN_USE + " " + kind,
        new AuditLog.Entry(
            0, clock.instant(), user, TOKEN_USE, call.location(), null, "refused", detail));
  }

  private AuditLog.Entry entry(Call call, String outcome, @Nullable Integer status) {
    return new AuditLog.Entry(
        0,
        clock.instant(),
        call.actor().orElse(UNKNOWN),
        call.route().operation(),
        call.location(),
        call.team(),
        outcome,
        detail(call, status));
  }

  private static Map<String, Object> detail(Call call, @Nullable Integer status) {
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("method", call.route().method().name());
    if (status != null) {
      detail.put("status", (long) status);
    }
    detail.put("traceId", call.traceId());
    detail.put("address", call.address());
    return detail;
  }
}
