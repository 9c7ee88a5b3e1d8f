package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a repository, recorded in its description. Gitea stores the description together
 * with the repository, so that a crash leaves no repository of Slipway unstamped. The last stamp
 * counts: a step appends its own behind the text that a document chose, so a document cannot forge
 * one.
 */
record GiteaStamp(String kind, String owner) {
  private static final String ADOPT_INTO = "adopt-into";
  private static final String ADOPTED = "adopted";
  private static final Pattern WRITTEN =
      Pattern.compile(" *\\[slipway\\.dev/([a-z-]+): ([^\\[\\]]*)\\]");

  /** The ownership that a description records. */
  enum Verdict {
    OURS,
    ADOPTED,
    /** Its administrator lets this resource adopt it. */
    CONSENTS,
    FOREIGN
  }

  /**
   * The stamp of the resource. Runs without a resource, such as golden paths, share repositories
   * with the runs of their team by the same provider in the environment.
   */
  static GiteaStamp of(StepCall.Scope scope) {
    return scope.resource() == null
        ? new GiteaStamp(
            "made-for", scope.team() + "/" + scope.environment() + "/" + scope.provider())
        : new GiteaStamp("resource", scope.resource().toString());
  }

  Verdict read(@Nullable Object description) {
    MatchResult last = last(Objects.toString(description, ""));
    if (last == null || !last.group(2).equals(owner)) {
      return Verdict.FOREIGN;
    }
    return switch (last.group(1)) {
      case ADOPTED -> Verdict.ADOPTED;
      case ADOPT_INTO -> Verdict.CONSENTS;
      case String other -> other.equals(kind) ? Verdict.OURS : Verdict.FOREIGN;
    };
  }

  private static @Nullable MatchResult last(String description) {
    return WRITTEN.matcher(description).results().reduce((first, second) -> second).orElse(null);
  }

  /** The description of a repository that the step creates. */
  String on(String description) {
    return (description + " " + text(kind)).strip();
  }

  /** The description in which the consent has become the stamp of an adopted repository. */
  String adopted(String description) {
    return (released(description) + " " + text(ADOPTED)).strip();
  }

  /** The description without its stamp. */
  String released(String description) {
    MatchResult last = last(description);
    return last == null
        ? description
        : (description.substring(0, last.start()) + description.substring(last.end())).strip();
  }

  /** What the repository's administrator writes to let this resource adopt it. */
  String consent() {
    return text(ADOPT_INTO);
  }

  private String text(String word) {
    return "[slipway.dev/" + word + ": " + owner + "]";
  }
}
