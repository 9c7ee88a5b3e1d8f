package dev.slipway.server.http;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.Values;
import dev.slipway.server.access.Action;
import dev.slipway.server.access.Authentication;
import dev.slipway.server.access.Identity;
import io.javalin.http.Context;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** One request on its way through: what was sent, who sent it, and checks that handlers share. */
public final class Call {
  private final Context context;
  private final Route route;
  private final String traceId;
  private final Surroundings around;
  private final Optional<Identity> caller;
  private byte[] body = {};
  private @Nullable String team;
  private @Nullable String actor;
  private boolean audited;

  /** What calls share. */
  record Surroundings(Authentication authentication, ClientAddress addresses, Recorder recorder) {}

  /** Carries out a change and writes its audit entry, both in one transaction. */
  @FunctionalInterface
  interface Recorder {
    Answer record(Call call, Callable<Answer> change) throws Exception;
  }

  Call(
      Context context,
      Route route,
      String traceId,
      Surroundings around,
      Optional<Identity> caller) {
    this.context = context;
    this.around = around;
    this.route = route;
    this.traceId = traceId;
    this.caller = caller;
  }

  public Route route() {
    return route;
  }

  public String traceId() {
    return traceId;
  }

  /** Who is calling; only routes that are not open have somebody. */
  public Identity caller() {
    return caller.orElseThrow(
        () -> Problem.unauthorized("Send a token in the Authorization header.").exception());
  }

  /** Who is calling by what is known now: roles change and tokens are revoked. */
  public Optional<Identity> again() {
    return around.authentication().caller(credentials());
  }

  /** What the request carries to show who calls. */
  Authentication.Headers credentials() {
    return new Authentication.Headers(
        context.header("Authorization"),
        context.header("X-API-Key"),
        context.cookie(Authentication.COOKIE));
  }

  /**
   * Carries out a change and writes its audit entry in one transaction. Only for routes that must
   * do something before it outside of that transaction.
   */
  public Answer recorded(Callable<Answer> change) throws Exception {
    return around.recorder().record(this, change);
  }

  /** Does this when the exchange has ended, however it ends and whatever was sent of the answer. */
  public void atEnd(Runnable release) {
    Exchange.of(context).atEnd(release);
  }

  /** A parameter of the path. */
  public String path(String name) {
    return context.pathParam(name);
  }

  /** A parameter of the path that is an id; anything else names nothing. */
  public UUID id(String name, String what) {
    String text = path(name);
    return uuid(text).orElseThrow(() -> Problem.notFound(what, text).exception());
  }

  /** The id that the text is, if it is one. */
  public static Optional<UUID> uuid(String text) {
    try {
      UUID id = UUID.fromString(text);
      return id.toString().equalsIgnoreCase(text) ? Optional.of(id) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  public Optional<String> query(String name) {
    return Optional.ofNullable(context.queryParam(name)).filter(value -> !value.isEmpty());
  }

  public List<String> queries(String name) {
    return context.queryParams(name);
  }

  /** All query parameters whose name starts so, without the prefix. */
  public Map<String, String> queriesUnder(String prefix) {
    Map<String, String> out = new java.util.LinkedHashMap<>();
    context
        .queryParamMap()
        .forEach(
            (name, values) -> {
              if (name.startsWith(prefix)) {
                out.put(name.substring(prefix.length()), values.getLast());
              }
            });
    return out;
  }

  /** A query parameter that is true or false; absent is false, present without a value true. */
  public boolean flag(String name) {
    String value = context.queryParam(name);
    return switch (value) {
      case null -> false;
      case "", "true", "1" -> true;
      case "false", "0" -> false;
      default ->
          throw Problem.badRequest(
                  "The parameter '" + name + "' is true or false, not '" + value + "'.")
              .exception();
    };
  }

  /** A query parameter that is a whole number. */
  public Optional<Long> number(String name) {
    return query(name)
        .map(
            text -> {
              try {
                return Long.parseLong(text);
              } catch (NumberFormatException e) {
                throw Problem.badRequest(
                        "The parameter '" + name + "' is a whole number, not '" + text + "'.")
                    .exception();
              }
            });
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(context.header(name));
  }

  /** The address of the caller; of an IPv6 address its network. */
  public String address() {
    return around
        .addresses()
        .of(context.ip(), new ClientAddress.Headers(lines("X-Forwarded-For"), lines("Forwarded")));
  }

  private List<String> lines(String header) {
    return Collections.list(context.req().getHeaders(header));
  }

  /** Whether the answer travels encrypted, here or from that address on. */
  public boolean encrypted(PublicAddress address) {
    return context.req().isSecure() || address.encrypted();
  }

  /** The cookie of that name. */
  public Optional<String> cookie(String name) {
    return Optional.ofNullable(context.cookie(name));
  }

  /** Takes all of the body; a call that changes nothing has none. */
  void receive(RequestBodies bodies) {
    body = bodies.read(context.req(), route.lane());
  }

  /** The body. */
  public byte[] body() {
    return body.clone();
  }

  /** The body as text. */
  public String text() {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body())).toString();
    } catch (CharacterCodingException e) {
      throw Problem.badRequest("The body is not UTF-8.").exception();
    }
  }

  /** The body as a JSON object; an empty one when nothing was sent. */
  public Fields json() {
    String text = text();
    if (text.isBlank()) {
      return new Fields(Map.of());
    }
    try {
      Map<String, Object> body = Json.readMap(text);
      if (Values.anyLeaf(body, leaf -> leaf instanceof Sealed)) {
        throw Problem.badRequest("The key '" + Sealed.KEY + "' is reserved: use another one.")
            .exception();
      }
      return new Fields(body);
    } catch (IllegalArgumentException e) {
      throw Problem.badRequest("The body is not a JSON object: " + e.getMessage()).exception();
    }
  }

  /**
   * Lets the call go on only if the caller may do the route's action to an object of this team.
   * Whoever may not even read it learns nothing of it.
   */
  public void touch(String what, String name, String ownerTeam) {
    Action action =
        route.access() instanceof Route.Access.Needs needs ? needs.action() : Action.READ;
    touch(action, what, name, ownerTeam);
  }

  /** The same for an action of its own. */
  public void touch(Action action, String what, String name, String ownerTeam) {
    team = ownerTeam;
    if (!caller().may(Action.READ, ownerTeam)) {
      throw Problem.notFound(what, name).exception();
    }
    if (!caller().may(action, ownerTeam)) {
      throw Problem.forbidden(
              "Your roles in team '"
                  + ownerTeam
                  + "' do not allow this on "
                  + what
                  + " '"
                  + name
                  + "'. Ask a member of that team, or an administrator for the role.")
          .exception();
    }
  }

  /** Refuses a changing call whose If-Match names another version than the present one. */
  public void expect(long version) {
    Optional<String> wanted = header("If-Match");
    if (wanted.isEmpty() || wanted.get().strip().equals("*")) {
      return;
    }
    for (String tag : wanted.get().split(",")) {
      if (tag.strip().equals("\"" + version + "\"")) {
        return;
      }
    }
    throw Problem.stale(
            "If-Match names "
                + wanted.get()
                + ", the present version is \""
                + version
                + "\". Read it again, look at what changed, and send the request with the new"
                + " version.")
        .exception();
  }

  /** The version that If-Match names; empty when any will do. */
  public Optional<Long> ifVersion() {
    return header("If-Match")
        .map(String::strip)
        .filter(tag -> !tag.equals("*"))
        .map(
            tag -> {
              if (!tag.matches("\"\\d{1,18}\"")) {
                throw Problem.stale(
                        "If-Match names "
                            + tag
                            + ", which is no version of this object. Read it again and send the"
                            + " ETag of the answer.")
                    .exception();
              }
              return Long.valueOf(tag.substring(1, tag.length() - 1));
            });
  }

  /** Says whose object it is, for the audit log. */
  public void concerns(String ownerTeam) {
    team = ownerTeam;
  }

  /** Says who acts when no token was needed. */
  public void actedBy(String name) {
    actor = name;
  }

  /** The same for a caller who named no account. */
  public void actedByUnknown() {
    actor = AuditTrail.UNKNOWN;
  }

  /** Asks for an entry in the audit log although the call changes nothing. */
  public void audit() {
    audited = true;
  }

  boolean audited() {
    return audited;
  }

  /** Method, path and query: what a repeated request must agree in. */
  String target() {
    String query = context.queryString();
    return context.method().name() + " " + context.path() + (query == null ? "" : "?" + query);
  }

  /** The path that was asked for. */
  String location() {
    return context.path();
  }

  @Nullable String team() {
    return team;
  }

  Optional<String> actor() {
    return actor != null ? Optional.of(actor) : caller.map(Identity::name);
  }
}
