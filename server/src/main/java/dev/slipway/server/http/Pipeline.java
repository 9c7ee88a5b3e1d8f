package dev.slipway.server.http;

import dev.slipway.engine.intake.Nearest;
import dev.slipway.postgres.access.AuditLog;
import dev.slipway.server.access.Authentication;
import dev.slipway.server.access.Identity;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** The way of every call: who is it, may they, is it well formed, do it, write down that it was. */
final class Pipeline {
  private static final Logger LOG = LoggerFactory.getLogger(Pipeline.class);
  private static final Set<String> DOCUMENT_TYPES =
      Set.of(
          "application/yaml",
          "application/x-yaml",
          "text/yaml",
          "text/x-yaml",
          "text/plain",
          "application/json",
          "application/octet-stream");

  private final Authentication authentication;
  private final Gate gate;
  private final Repeats repeats;
  private final AuditLog audit;
  private final CallThreads threads;
  private final PublicAddress address;
  private final InstantSource clock;
  private final RequestBodies bodies = new RequestBodies();

  Pipeline(
      Authentication authentication,
      Gate gate,
      Repeats repeats,
      AuditLog audit,
      CallThreads threads,
      PublicAddress address,
      InstantSource clock) {
    this.authentication = authentication;
    this.gate = gate;
    this.repeats = repeats;
    this.audit = audit;
    this.threads = threads;
    this.address = address;
    this.clock = clock;
  }

  /** Carries out a call, whatever comes of it. */
  Answer answer(Context context, Route route, Trace trace) {
    boolean reads =
        route.method() == Route.Method.GET && !route.traits().contains(Route.Trait.STREAM);
    try {
      return reads
          ? threads.call(() -> carriedOut(context, route, trace))
          : carriedOut(context, route, trace);
    } catch (Exception e) {
      return Failures.answer(e, context.path(), trace);
    }
  }

  private Answer carriedOut(Context context, Route route, Trace trace) {
    Call call = new Call(context, route, trace.id(), authentication, Optional.empty());
    Answer answer;
    try {
      Optional<Identity> identity = identity(context, route);
      identity.ifPresent(who -> MDC.put("user", who.name()));
      call = new Call(context, route, trace.id(), authentication, identity);
      admit(context, route, identity);
      checkParameters(context, route);
      checkContent(context, route);
      answer = route.method().changes() ? inTurn(call, route) : repeats.once(call, route.handler());
    } catch (Exception e) {
      answer = Failures.answer(e, context.path(), trace);
    }
    remember(call, context, answer, trace);
    return answer;
  }

  /**
   * A slow sender takes neither a place nor a turn nor a thread: all of the body is here before.
   */
  private Answer inTurn(Call call, Route route) throws Exception {
    call.receive(bodies);
    try (Gate.Place place = gate.enter(route);
        Gate.Place turn = gate.turn(route)) {
      return threads.call(() -> repeats.once(call, route.handler()));
    }
  }

  private Optional<Identity> identity(Context context, Route route) {
    if (route.access() instanceof Route.Access.Open) {
      return Optional.empty();
    }
    return Optional.of(
        authentication
            .caller(
                context.header("Authorization"),
                context.header("X-API-Key"),
                context.cookie(Authentication.COOKIE))
            .orElseThrow(
                () ->
                    Problem.unauthorized(
                            "Send a valid token as 'Authorization: Bearer <token>'. The first"
                                + " administrator's token is in the file admin-token of the"
                                + " server's data directory; 'slipway login' makes others.")
                        .exception()));
  }

  private void admit(Context context, Route route, Optional<Identity> identity) {
    if (identity.isPresent()
        && identity.get().means() == Identity.Means.COOKIE
        && route.method().changes()) {
      refuseForeignOrigin(context);
    }
    if (route.access() instanceof Route.Access.Needs needs
        && !identity.orElseThrow().maySomewhere(needs.action())) {
      throw Problem.forbidden(
              "None of your roles allows this. Ask an administrator for one that does.")
          .exception();
    }
  }

  /** A browser sends the session cookie on its own, also when another site makes it call us. */
  private void refuseForeignOrigin(Context context) {
    String origin = context.header("Origin");
    if (origin != null && !address.isOwn(origin, context.host())) {
      throw Problem.forbidden("This request came from another site: " + origin + ".").exception();
    }
  }

  private static void checkParameters(Context context, Route route) {
    for (String given : context.queryParamMap().keySet()) {
      if (given.equals("token") || given.equals("access_token") || given.equals("api_key")) {
        throw Problem.badRequest(
                "A token in the address ends up in logs. Send it in the Authorization header, and"
                    + " revoke this one.")
            .exception();
      }
      if (route.parameters().stream().noneMatch(p -> p.covers(given))) {
        List<String> known = route.parameters().stream().map(Route.Parameter::name).toList();
        String hint = Nearest.hintOrList(given, known);
        throw Problem.badRequest(
                "There is no parameter '" + given + "' here." + (hint == null ? "" : " " + hint))
            .exception();
      }
    }
  }

  private static void checkContent(Context context, Route route) {
    String type = context.contentType();
    if (type == null || context.contentLength() == 0) {
      return;
    }
    String plain = type.replaceAll(";.*", "").strip().toLowerCase(Locale.ROOT);
    boolean fits =
        switch (route.consumes()) {
          case NONE -> true;
          case JSON, OPTIONAL_JSON -> plain.equals("application/json") || plain.endsWith("+json");
          case DOCUMENT, OPTIONAL_DOCUMENT -> DOCUMENT_TYPES.contains(plain);
        };
    if (!fits) {
      String wanted =
          switch (route.consumes()) {
            case DOCUMENT, OPTIONAL_DOCUMENT -> "application/yaml or application/json";
            case NONE, JSON, OPTIONAL_JSON -> "application/json";
          };
      throw Problem.of(
              415,
              "unsupported-media-type",
              "The content type is not supported",
              "Send " + wanted + " instead of " + plain + ".")
          .exception();
    }
  }

  private void remember(Call call, Context context, Answer answer, Trace trace) {
    Route route = call.route();
    boolean kept =
        call.audited()
            || route.method().changes() && !route.traits().contains(Route.Trait.UNAUDITED);
    if (!kept || call.actor().isEmpty()) {
      return;
    }
    Map<String, Object> detail = new LinkedHashMap<>();
    detail.put("method", route.method().name());
    detail.put("status", (long) answer.status());
    detail.put("traceId", trace.id());
    try {
      audit.append(
          new AuditLog.Entry(
              0,
              clock.instant(),
              call.actor().get(),
              route.operation(),
              context.path(),
              call.team(),
              answer.status() < 400 ? "done" : "refused",
              detail));
    } catch (RuntimeException e) {
      LOG.warn("the audit log could not be written: {} on {}", route.operation(), context.path());
    }
  }
}
