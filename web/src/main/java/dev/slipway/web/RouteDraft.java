package dev.slipway.web;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A route being written down. */
public final class RouteDraft {
  private final Route.Method method;
  private final String path;
  private final Route.Access access;
  private String operation = "";
  private String summary = "";
  private final List<Route.Parameter> parameters = new ArrayList<>();
  private Route.Content consumes = Route.Content.NONE;
  private String requestSchema = "";
  private final Map<Integer, Route.Reply> replies = new LinkedHashMap<>();
  private final Set<Route.Trait> traits = EnumSet.noneOf(Route.Trait.class);
  private Route.Lane lane = Route.Lane.CHANGES;

  RouteDraft(Route.Method method, String path, Route.Access access) {
    this.method = method;
    this.path = path;
    this.access = access;
  }

  /** Its name in the OpenAPI document and the audit log, and what it does. */
  public RouteDraft named(String operationId, String what) {
    operation = operationId;
    summary = what;
    return this;
  }

  public RouteDraft query(String name, Route.Parameter.Kind kind, String description) {
    parameters.add(new Route.Parameter(name, kind, description));
    return this;
  }

  public RouteDraft query(String name, String description) {
    return query(name, Route.Parameter.Kind.TEXT, description);
  }

  /** The same, also read under the name that clients of earlier releases send. */
  public RouteDraft query(String name, Route.OldSpelling old, String description) {
    parameters.add(
        new Route.Parameter(name, Route.Parameter.Kind.TEXT, description, Optional.of(old.name())));
    return this;
  }

  /** Answers a list in pieces. */
  public RouteDraft paged() {
    return query("limit", Route.Parameter.Kind.NUMBER, "how many at most; 50, never more than 100")
        .query("continue", "where to go on: the value that the previous piece ended with");
  }

  public RouteDraft takes(Route.Content content, String schema) {
    consumes = content;
    requestSchema = schema;
    return this;
  }

  public RouteDraft gives(int status, String description, String schema) {
    replies.put(status, new Route.Reply(description, "application/json", schema));
    return this;
  }

  public RouteDraft givesText(int status, String description, String contentType) {
    replies.put(status, new Route.Reply(description, contentType, ""));
    return this;
  }

  /** A stream of server-sent events whose data have this schema. */
  public RouteDraft givesEvents(int status, String description, String schema) {
    replies.put(status, new Route.Reply(description, Route.Reply.EVENTS, schema));
    return this;
  }

  public RouteDraft givesNothing(int status, String description) {
    replies.put(status, new Route.Reply(description, "", ""));
    return this;
  }

  public RouteDraft is(Route.Trait trait) {
    traits.add(trait);
    return this;
  }

  public RouteDraft in(Route.Lane which) {
    lane = which;
    return this;
  }

  public Route by(Handler handler) {
    return new Route(
        method,
        path,
        access,
        operation,
        summary,
        List.copyOf(parameters),
        consumes,
        requestSchema,
        new LinkedHashMap<>(replies),
        Set.copyOf(traits),
        lane,
        handler);
  }
}
