package dev.slipway.web;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.Values;
import dev.slipway.web.access.Action;
import dev.slipway.web.access.Authentication;
import dev.slipway.web.access.Identity;
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

/** One HTTP request: what the client sent, its identity, and checks that handlers share. */
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

  /** Collaborators that all calls share. */
  record Surroundings(Authentication authentication, ClientAddress addresses, Recorder recorder) {}

  /** Executes a change and writes its audit entry, both in one transaction. */
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

  /** The caller's identity; a call of an open route has none and gets 401. */
  public Identity caller() {
    return caller.orElseThrow(
        () -> Problem.unauthorized("Send a token in the Authorization header.").exception());
  }

  /** The caller's identity looked up again: roles change and tokens are revoked during a call. */
  public Optional<Identity> again() {
    return around.authentication().caller(credentials());
  }

  /** The headers that identify the caller. */
  Authentication.Headers credentials() {
    return new Authentication.Headers(
        context.header("Authorization"),
        context.header("X-API-Key"),
        context.cookie(Authentication.COOKIE));
  }

  /**
   * Executes a change and writes its audit entry in one transaction. Only for routes that must do
   * something outside that transaction first.
   */
  public Answer recorded(Callable<Answer> change) throws Exception {
    return around.recorder().record(this, change);
  }

  /** Runs {@code release} when the exchange has ended, whether or not the response was sent. */
  public void atEnd(Runnable release) {
    Exchange.of(context).atEnd(release);
  }

  /** A path parameter. */
  public String path(String name) {
    return context.pathParam(name);
  }

  /** A path parameter that is an id; 404 for anything else. */
  public UUID id(String name, String what) {
    String text = path(name);
    return uuid(text).orElseThrow(() -> Problem.notFound(what, text).exception());
  }

  /** The text as a UUID, if it is one. */
  public static Optional<UUID> uuid(String text) {
    try {
      UUID id = UUID.fromString(text);
      return id.toString().equalsIgnoreCase(text) ? Optional.of(id) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** A query parameter by its name, or by its old spelling; 400 if both are given and differ. */
  public Optional<String> query(String name) {
    Optional<String> value = given(name);
    Optional<String> old =
        route.parameters().stream()
            .filter(parameter -> parameter.name().equals(name))
            .flatMap(parameter -> parameter.oldSpelling().stream())
            .findFirst();
    Optional<String> oldValue = old.flatMap(this::given);
    if (value.isPresent() && oldValue.isPresent() && !value.equals(oldValue)) {
      throw Problem.badRequest(
              "'%s' is the old spelling of '%s', and they differ: '%s' and '%s'. Send '%s' alone."
                  .formatted(old.get(), name, oldValue.get(), value.get(), name))
          .exception();
    }
    return value.or(() -> oldValue);
  }

  private Optional<String> given(String name) {
    return Optional.ofNullable(context.queryParam(name)).filter(value -> !value.isEmpty());
  }

  public List<String> queries(String name) {
    return context.queryParams(name);
  }

  /** All query parameters whose name starts with the prefix, keyed without it. */
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

  /** A boolean query parameter; absent is false, present without a value is true. */
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

  /** An integer query parameter. */
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

  /** The caller's address; for IPv6 its network. */
  public String address() {
    return around
        .addresses()
        .of(context.ip(), new ClientAddress.Headers(lines("X-Forwarded-For"), lines("Forwarded")));
  }

  private List<String> lines(String header) {
    return Collections.list(context.req().getHeaders(header));
  }

  /**
   * Whether the response reaches the client encrypted, by this server or by the proxy before it.
   */
  public boolean encrypted(PublicAddress address) {
    return context.req().isSecure() || address.encrypted();
  }

  /** The cookie of that name. */
  public Optional<String> cookie(String name) {
    return Optional.ofNullable(context.cookie(name));
  }

  /** Reads the whole body; calls that change nothing have none. */
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

  /** The body as a JSON object; an empty object when the client sent no body. */
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
   * Checks that the caller may execute the route's action on an object of this team. A caller that
   * may not even read the object gets the same 404 as for one that does not exist.
   */
  public void touch(String what, String name, String ownerTeam) {
    Action action =
        route.access() instanceof Route.Access.Needs needs ? needs.action() : Action.READ;
    touch(action, what, name, ownerTeam);
  }

  /** The same check for another action than the route's. */
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

  /** Refuses a changing call whose If-Match names another version than the current one. */
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

  /** The version in If-Match; empty when the caller accepts any. */
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

  /** Records the owning team of the object for the audit log. */
  public void concerns(String ownerTeam) {
    team = ownerTeam;
  }

  /** Records the account for the audit log on routes that need no token. */
  public void actedBy(String name) {
    actor = name;
  }

  /** The same for a caller that named no account. */
  public void actedByUnknown() {
    actor = AuditTrail.UNKNOWN;
  }

  /** Requests an audit entry although the call changes nothing. */
  public void audit() {
    audited = true;
  }

  boolean audited() {
    return audited;
  }

  /** Method, path and query: a repeated request must have the same. */
  String target() {
    String query = context.queryString();
    return context.method().name() + " " + context.path() + (query == null ? "" : "?" + query);
  }

  /** The path of the request. */
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
