package dev.slipway.engine.access;

import dev.slipway.engine.intake.Diagnostic;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a request is turned down. Nothing has changed when one of these is the answer. */
public sealed interface Refusal {

  /** One sentence for people. */
  String message();

  /** What to do next, or null. */
  @Nullable String hint();

  /** It does not exist, or not for this caller. HTTP 404. */
  record NotFound(String kind, String name, @Nullable String hint) implements Refusal {
    @Override
    public String message() {
      return "no " + kind + " '" + name + "'";
    }
  }

  /** The caller sees it but may not do this. HTTP 403. */
  record Forbidden(String message, @Nullable String hint) implements Refusal {}

  /**
   * The state of things does not allow it: {@code confirm-required}, {@code has-dependents}, {@code
   * no-delete-workflow}, {@code invalid-transition}, {@code environment-not-empty}, {@code
   * environment-expired}, {@code already-exists}, ... {@code related} lists what stands in the way.
   * HTTP 409.
   */
  record Conflict(String code, String message, @Nullable String hint, List<String> related)
      implements Refusal {}

  /** The plan that was approved or shown is not the one that would be carried out. HTTP 409. */
  record StalePlan(String asked, String actual) implements Refusal {
    @Override
    public String message() {
      return "the plan has changed since it was made: asked for " + asked + ", now it is " + actual;
    }

    @Override
    public String hint() {
      return "Make a new plan, look at it, and deploy that one.";
    }
  }

  /** If-Match named an older version. HTTP 412. */
  record Outdated(String kind, String name, long asked, long actual) implements Refusal {
    @Override
    public String message() {
      return kind + " '" + name + "' is at version " + actual + ", not " + asked;
    }

    @Override
    public String hint() {
      return "Read it again and repeat the change on top of what is there now.";
    }
  }

  /** The document cannot be read at all (HTTP 400) or says something impossible (HTTP 422). */
  record Invalid(Stage stage, List<Diagnostic> diagnostics) implements Refusal {
    /** How far the document came. */
    public enum Stage {
      UNREADABLE,
      CONTENT,
      /** No document at all: a setting of something says it. */
      SETTING
    }

    @Override
    public String message() {
      long errors = diagnostics.stream().filter(Diagnostic::isError).count();
      return errors == 1 ? "1 error" : errors + " errors";
    }

    @Override
    public @Nullable String hint() {
      return null;
    }
  }
}
