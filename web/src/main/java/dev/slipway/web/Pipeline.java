package dev.slipway.web;

import dev.slipway.web.access.Authentication;
import dev.slipway.web.access.Identity;
import io.javalin.http.Context;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.MDC;

/** The stages of every call: authenticate, authorise, validate, execute with its audit entry. */
final class Pipeline {
  private final Call.Surroundings around;
  private final Admission gate;
  private final Repeats repeats;
  private final AuditTrail trail;
  private final CallThreads threads;
  private final PublicAddress address;
  private final RequestBodies bodies = new RequestBodies();

  /** The public address of this server and the rule that finds client addresses. */
  record Addresses(PublicAddress own, ClientAddress ofClients) {}

  /** The stages that a call passes. */
  record Stations(Admission gate, Repeats repeats, AuditTrail trail, CallThreads threads) {}

  Pipeline(Authentication authentication, Addresses addresses, Stations stations) {
    this.gate = stations.gate();
    this.repeats = stations.repeats();
    this.trail = stations.trail();
    this.threads = stations.threads();
    this.address = addresses.own();
    this.around = new Call.Surroundings(authentication, addresses.ofClients(), this::recorded);
  }

  /** Answers a call; every failure becomes a problem document. */
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
    Call call = new Call(context, route, trace.id(), around, Optional.empty());
    try {
      Optional<Identity> identity = identity(call);
      identity.ifPresent(who -> MDC.put("user", who.name()));
      call = new Call(context, route, trace.id(), around, identity);
      admit(context, route, identity);
      RequestCheck.parameters(context, route);
      RequestCheck.content(context, route);
      return route.method().changes() ? inTurn(call) : read(call);
    } catch (Exception e) {
      Answer answer = Failures.answer(e, context.path(), trace);
      trail.unchanged(call, answer);
      return answer;
    }
  }

  private Answer read(Call call) throws Exception {
    Answer answer = call.route().handler().handle(call);
    if (call.audited()) {
      trail.done(call, answer);
    }
    return answer;
  }

  /**
   * The whole body is read first, so a slow sender holds neither a place nor a turn nor a thread.
   */
  private Answer inTurn(Call call) throws Exception {
    call.receive(bodies);
    try (Admission.Place place = gate.enter(call.route());
        Admission.Place turn = gate.turn(call.route())) {
      return threads.call(() -> change(call));
    }
  }

  private Answer change(Call call) throws Exception {
    Handler handler = call.route().handler();
    if (!call.route().isAudited()) {
      return handler.handle(call);
    }
    return switch (call.route().lane()) {
      case CHANGES, RELIEF -> call.recorded(() -> handler.handle(call));
      // Verifies a password first, too slow for a transaction; the handler writes its own audit
      // entry.
      case SIGN_IN -> handler.handle(call);
      case OUTSIDE -> announced(call, handler);
    };
  }

  /** The change, the reply kept for repeated requests and the audit entry are one transaction. */
  private Answer recorded(Call call, Callable<Answer> change) throws Exception {
    return repeats.once(
        call,
        () -> {
          Answer answer = change.call();
          trail.done(call, answer);
          return answer;
        },
        replayed -> trail.unchanged(call, replayed));
  }

  /** The handler waits for servers other than the database, which no transaction may do. */
  private Answer announced(Call call, Handler handler) throws Exception {
    trail.begun(call);
    Answer answer = handler.handle(call);
    trail.done(call, answer);
    return answer;
  }

  private Optional<Identity> identity(Call call) {
    if (call.route().access() instanceof Route.Access.Open) {
      return Optional.empty();
    }
    return switch (around.authentication().authenticate(call.credentials())) {
      case Authentication.Result.Known known -> Optional.of(known.identity());
      case Authentication.Result.Denied denied -> {
        trail.denied(call, denied);
        throw signInFirst();
      }
      case Authentication.Result.Absent absent -> throw signInFirst();
    };
  }

  private static ProblemException signInFirst() {
    return Problem.unauthorized(
            "Send a valid token as 'Authorization: Bearer <token>'. The first administrator's"
                + " token is in the file admin-token of the server's data directory; 'slipway"
                + " login' makes others.")
        .exception();
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

  /** Browsers attach the session cookie also to requests that another site triggers (CSRF). */
  private void refuseForeignOrigin(Context context) {
    String origin = context.header("Origin");
    if (origin != null && !address.isOwn(origin, context.host())) {
      throw Problem.forbidden("This request came from another site: " + origin + ".").exception();
    }
  }
}
