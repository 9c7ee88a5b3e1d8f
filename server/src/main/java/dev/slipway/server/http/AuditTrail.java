package dev.slipway.server.http;

import dev.slipway.postgres.access.AuditLog;
import dev.slipway.server.access.Authentication;
import dev.slipway.server.access.CoalescedAudit;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The audit entries of calls. The entry of a change is written in the transaction of the change: a
 * change without an entry does not happen. Refused and failed calls change nothing; their entries
 * are coalesced.
 */
final class AuditTrail {
  /** Stands for the account of a caller that no token and no password has proven; no name. */
  static final String UNKNOWN = "(unknown)";

  private static final String TOKEN_USE = "useToken";

  private final AuditLog log;
  private final CoalescedAudit coalesced;
  private final InstantSource clock;

  AuditTrail(AuditLog log, CoalescedAudit coalesced, InstantSource clock) {
    this.log = log;
    this.coalesced = coalesced;
    this.clock = clock;
  }

  /** To be called in the transaction of the change, after its effect. */
  void done(Call call, Answer answer) {
    log.append(entry(call, "done", answer.status()));
  }

  /** Before an effect that is not in the database and so cannot be in a transaction with it. */
  void begun(Call call) {
    log.append(entry(call, "begun", null));
  }

  /** The call changed nothing: it was refused, failed, or repeats one that was carried out. */
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

  /** A token was sent that does not work. */
  void denied(Call call, Authentication.Result.Denied denied) {
    String user = denied.account().orElse(UNKNOWN);
    Map<String, Object> detail = detail(call, 401);
    detail.put("reason", denied.reason());
    detail.put("fingerprint", denied.fingerprint());
    // An unknown token costs its sender nothing, so all of an address are one kind.
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
