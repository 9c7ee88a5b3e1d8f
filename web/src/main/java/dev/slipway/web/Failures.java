package dev.slipway.web;

import com.zaxxer.hikari.pool.HikariPool;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.postgres.Faults;
import io.javalin.http.HttpResponseException;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps exceptions to the problem document that the client gets. */
final class Failures {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  private Failures() {}

  static Answer answer(Exception failure, String path, Trace trace) {
    return answer(problem(failure, path), path, trace);
  }

  static Answer answer(Problem problem, String path, Trace trace) {
    return new Answer(
        problem.status(),
        problem.headers(),
        new Answer.Body.Text(
            "application/problem+json", ApiJson.write(problem.document(path, trace.id()))));
  }

  static Problem problem(Exception failure, String path) {
    return switch (failure) {
      case ProblemException known -> known.problem();
      case RefusedException refused -> refusal(refused.refusal());
      case HttpResponseException http -> framework(http);
      case InterruptedException stopped ->
          Problem.stopping(
              "Whether it was carried out is not known: look, or send it again with the same"
                  + " Idempotency-Key.");
      default -> unexpected(failure, path);
    };
  }

  private static Problem refusal(Refusal refusal) {
    String detail =
        sentence(refusal.message()) + (refusal.hint() == null ? "" : " " + refusal.hint());
    return switch (refusal) {
      case Refusal.NotFound missing ->
          Problem.of(404, "not-found", "Not found", detail)
              .with("kind", missing.kind())
              .with("name", missing.name());
      case Refusal.Forbidden forbidden -> Problem.forbidden(detail);
      case Refusal.Conflict conflict ->
          Problem.of(409, conflict.code(), "Not possible in the present state", detail)
              .with("related", conflict.related());
      case Refusal.StalePlan stale ->
          Problem.of(409, "stale-plan", "The plan is out of date", detail)
              .with("asked", stale.asked())
              .with("actual", stale.actual());
      case Refusal.Outdated outdated -> Problem.stale(detail);
      case Refusal.Invalid invalid -> invalid(invalid);
    };
  }

  private static Problem invalid(Refusal.Invalid invalid) {
    List<Problem.Fault> faults =
        invalid.diagnostics().stream().filter(Diagnostic::isError).map(Failures::fault).toList();
    String detail = sentence(invalid.message());
    return switch (invalid.stage()) {
      case UNREADABLE ->
          Problem.of(400, "unreadable-spec", "The document cannot be read", detail)
              .withErrors(faults);
      case CONTENT ->
          Problem.of(422, "invalid-spec", "Invalid document", detail).withErrors(faults);
      case SETTING -> Problem.unacceptable(detail, faults);
    };
  }

  static Problem.Fault fault(Diagnostic diagnostic) {
    return new Problem.Fault(
        diagnostic.code(),
        diagnostic.path(),
        diagnostic.line(),
        diagnostic.column(),
        diagnostic.message(),
        diagnostic.hint());
  }

  private static Problem framework(HttpResponseException failure) {
    return switch (failure.getStatus()) {
      case 404 ->
          Problem.of(
              404, "not-found", "Not found", "There is nothing at this path. See /openapi.json.");
      case 413 -> Problem.of(413, "too-large", "The request is too large", message(failure));
      default ->
          Problem.of(
              failure.getStatus(), "bad-request", "The request was refused", message(failure));
    };
  }

  private static String message(HttpResponseException failure) {
    return String.valueOf(failure.getMessage());
  }

  private static Problem unexpected(Exception failure, String path) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof SQLException sql && Faults.diskFull(sql)) {
        LOG.error("the database's disk is full: {} ({})", t.getMessage(), path);
        return Problem.diskFull();
      }
      if (t instanceof SQLException sql && Faults.passing(sql)) {
        LOG.warn("the database is busy: {} ({})", t.getMessage(), path);
        return Problem.databaseBusy();
      }
      if (t instanceof HikariPool.PoolInitializationException
          || t instanceof SQLException sql && Faults.connectionLost(sql)) {
        LOG.warn("the database cannot be reached: {} ({})", t.getMessage(), path);
        return Problem.databaseAway();
      }
    }
    LOG.error("unexpected failure at {}", path, failure);
    return Problem.of(
        500,
        "internal",
        "Something went wrong inside Slipway",
        "This is a mistake in Slipway, not in your request. The log has the details under the"
            + " trace id.");
  }

  private static String sentence(String text) {
    String upper =
        text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
    return upper.matches(".*[.!?]") ? upper : upper + ".";
  }
}
