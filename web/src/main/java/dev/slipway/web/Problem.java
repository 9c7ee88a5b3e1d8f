package dev.slipway.web;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a request failed, as an RFC 9457 problem document. {@code kind} is stable and becomes the
 * type {@code urn:slipway:problem:<kind>}.
 */
public record Problem(
    String kind,
    String title,
    int status,
    String detail,
    List<Fault> errors,
    Map<String, Object> more,
    Map<String, String> headers) {

  /** The prefix of every type. */
  public static final String URN = "urn:slipway:problem:";

  /** One mistake, where it is, and what to do about it. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Fault(
      String code,
      @Nullable String path,
      @Nullable Integer line,
      @Nullable Integer column,
      String message,
      @Nullable String hint) {}

  /** A problem that one sentence describes. */
  public static Problem of(int status, String kind, String title, String detail) {
    return new Problem(kind, title, status, detail, List.of(), Map.of(), Map.of());
  }

  public static Problem badRequest(String detail) {
    return of(400, "bad-request", "The request cannot be understood", detail);
  }

  public static Problem unauthorized(String detail) {
    return of(401, "unauthorized", "Sign in first", detail)
        .withHeader("WWW-Authenticate", "Bearer realm=\"slipway\"");
  }

  public static Problem forbidden(String detail) {
    return of(403, "forbidden", "Not permitted", detail);
  }

  /** Also the answer for objects of a team that the caller may not see. */
  public static Problem notFound(String what, String name) {
    return of(404, "not-found", "Not found", "There is no " + what + " '" + name + "'.");
  }

  public static Problem conflict(String detail) {
    return of(409, "conflict", "Not possible in the present state", detail);
  }

  public static Problem stale(String detail) {
    return of(412, "stale", "It has changed in the meantime", detail);
  }

  public static Problem unacceptable(String detail, List<Fault> errors) {
    return of(422, "invalid", "The content is not valid", detail).withErrors(errors);
  }

  public static Problem slowDown(String detail, long seconds) {
    return of(429, "too-many-requests", "Too many requests", detail)
        .withHeader("Retry-After", Long.toString(Math.max(1, seconds)));
  }

  public static Problem databaseAway() {
    return of(
            503,
            "database-away",
            "The database cannot be reached",
            "Nothing was changed. Work in progress continues when the database is back; try again"
                + " in a few seconds.")
        .withHeader("Retry-After", "5");
  }

  public static Problem databaseBusy() {
    return of(
            503,
            "database-busy",
            "The database is busy",
            "Other transactions hold locks that this call needs: nothing was changed. Repeat the call"
                + " in a few seconds.")
        .withHeader("Retry-After", "2");
  }

  public static Problem serverBusy() {
    return of(
            503,
            "server-busy",
            "The server is busy",
            "As many calls of this kind as it carries out at a time are still under way: nothing"
                + " was changed. Repeat the call in a few seconds.")
        .withHeader("Retry-After", "2");
  }

  /** The server is shutting down during a call. */
  public static Problem stopping(String whatNow) {
    return of(503, "stopping", "The server is stopping", whatNow).withHeader("Retry-After", "5");
  }

  public static Problem queueFull(long queued) {
    return of(
            503,
            "queue-full",
            "Too many runs wait",
            "Nothing was changed. "
                + queued
                + " runs wait to begin, and no more are taken until some have: repeat the call"
                + " later, add a server, or raise engine.maxQueuedRuns.")
        .withHeader("Retry-After", "15");
  }

  public static Problem diskFull() {
    return of(
            503,
            "disk-full",
            "The database's disk is full",
            "Nothing was changed. Make room where the database keeps its data, then repeat the"
                + " call; work in progress continues by itself.")
        .withHeader("Retry-After", "30");
  }

  public Problem withErrors(List<Fault> faults) {
    return new Problem(kind, title, status, detail, List.copyOf(faults), more, headers);
  }

  public Problem withHeader(String name, String value) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put(name, value);
    return new Problem(kind, title, status, detail, errors, more, Map.copyOf(all));
  }

  /** Adds an extension member beside the standard ones. */
  public Problem with(String name, @Nullable Object value) {
    Map<String, Object> all = new LinkedHashMap<>(more);
    all.put(name, value);
    return new Problem(kind, title, status, detail, errors, all, headers);
  }

  /** The exception that ends a call with this problem. */
  @JsonIgnore
  public ProblemException exception() {
    return new ProblemException(this);
  }

  /** The document as sent. */
  public Map<String, Object> document(String instance, String traceId) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("type", URN + kind);
    out.put("title", title);
    out.put("status", status);
    out.put("detail", detail);
    out.put("instance", instance);
    out.put("traceId", traceId);
    out.putAll(more);
    if (!errors.isEmpty()) {
      out.put("errors", errors);
    }
    return out;
  }
}
