package dev.slipway.web;

import dev.slipway.web.access.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of the route table: where, who may, what goes in and out, and who does it. Registration,
 * authorisation, the OpenAPI document and the tests are all driven by the list of these.
 */
public record Route(
    Method method,
    String path,
    Access access,
    String operation,
    String summary,
    List<Parameter> parameters,
    Content consumes,
    String requestSchema,
    Map<Integer, Reply> replies,
    Set<Trait> traits,
    Lane lane,
    Handler handler) {

  /** Refuses one that declares no permission; the routes are made before the server listens. */
  public Route {
    Objects.requireNonNull(
        access, () -> "the route " + method + " " + path + " declares no permission");
  }

  private static final Pattern PATH_PARAMETER = Pattern.compile("\\{([a-zA-Z]+)}");

  /** HTTP methods in use. */
  public enum Method {
    GET,
    POST,
    PATCH,
    DELETE;

    /** Whether a call may change something. */
    public boolean changes() {
      return this != GET;
    }
  }

  /** Who may call at all. Which objects they may touch is decided by each object's team. */
  public sealed interface Access {
    /** Any caller, also without a token. */
    record Open() implements Access {}

    /** Every authenticated caller. */
    record SignedIn() implements Access {}

    /** Callers with this permission for at least one team. */
    record Needs(Action action) implements Access {}
  }

  /** What a request body is. */
  public enum Content {
    NONE,
    JSON,
    /** Sent or not. */
    OPTIONAL_JSON,
    /** A user's document: YAML or JSON. */
    DOCUMENT,
    OPTIONAL_DOCUMENT
  }

  /** What is special about it. */
  public enum Trait {
    /** Honours Idempotency-Key. */
    IDEMPOTENT,
    /** Changes nothing although it is a POST, so it is not audited. */
    UNAUDITED,
    /** Honours If-Match. */
    VERSIONED,
    /** Makes runs, so it is refused while too many wait. */
    STARTS_RUNS,
    /** Answers until the client disconnects. */
    STREAM
  }

  /** The admission queue of a changing call. Each lane has permits of its own. */
  public enum Lane {
    /** Adds runs or changes objects. */
    CHANGES,
    /** Removes work or permissions, or decides an approval. */
    RELIEF,
    /** Authenticates a caller; open to all. */
    SIGN_IN,
    /** Waits for a system other than the database, possibly for long. */
    OUTSIDE
  }

  /**
   * A query parameter. A name that ends in {@code *} is a prefix.
   *
   * @param oldSpelling another name that clients of earlier releases send for it
   */
  public record Parameter(
      String name, Kind kind, String description, Optional<String> oldSpelling) {
    Parameter(String name, Kind kind, String description) {
      this(name, kind, description, Optional.empty());
    }

    /** Its type. */
    public enum Kind {
      TEXT,
      NUMBER,
      FLAG,
      /** May be given several times. */
      TEXTS
    }

    boolean covers(String given) {
      return name.endsWith("*")
          ? given.startsWith(name.substring(0, name.length() - 1))
          : name.equals(given) || oldSpelling.filter(given::equals).isPresent();
    }
  }

  /** The name of a parameter in earlier releases. */
  public record OldSpelling(String name) {}

  /** One documented reply: the schema of its JSON, or the type of its text. */
  public record Reply(String description, String contentType, String schema) {
    /** The type of server-sent events; the schema is then that of the data of each. */
    public static final String EVENTS = "text/event-stream";
  }

  /** Whether a call is written down in the audit log because of its route. */
  boolean isAudited() {
    return method.changes() && !traits.contains(Trait.UNAUDITED);
  }

  /** Names of the path's parameters in order. */
  public List<String> pathParameters() {
    List<String> names = new ArrayList<>();
    Matcher matcher = PATH_PARAMETER.matcher(path);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  /** Whether a request path is of this route. */
  public boolean covers(String requestPath) {
    String[] own = path.split("/", -1);
    String[] other = requestPath.split("/", -1);
    if (own.length != other.length) {
      return false;
    }
    for (int i = 0; i < own.length; i++) {
      if (!own[i].startsWith("{") && !own[i].equals(other[i])) {
        return false;
      }
    }
    return true;
  }

  public static UndeclaredRoute get(String path) {
    return new UndeclaredRoute(Method.GET, path);
  }

  public static UndeclaredRoute post(String path) {
    return new UndeclaredRoute(Method.POST, path);
  }

  public static UndeclaredRoute patch(String path) {
    return new UndeclaredRoute(Method.PATCH, path);
  }

  public static UndeclaredRoute delete(String path) {
    return new UndeclaredRoute(Method.DELETE, path);
  }
}
