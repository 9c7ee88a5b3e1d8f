package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.steps.GiteaServer.Answer;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One call of a gitea-repo step. Before it creates a repository it parks for a moment with the note
 * that there was none, so that after a crash or a lost answer a repository that is there is known
 * to be its own work: {@code created} is right in every case.
 */
final class GiteaVisit {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);
  private static final long MOST_LOOKS = 5;

  /** Memory: there was no such repository before we asked for it. */
  private static final String ABSENT = "absentBefore";

  /** Memory: how many requests to create it got no clear answer. */
  private static final String UNSURE = "unsure";

  /** Whose repository it is, and where one of theirs is created. */
  private record Owner(String name, String... creation) {}

  /** Who made the repository. */
  private enum Maker {
    THIS_STEP,
    SOMEBODY_ELSE
  }

  /** An answer after which there is nothing more to do. */
  static final class Unwilling extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient StepError error;

    Unwilling(StepError error) {
      super(error.message(), null, false, false);
      this.error = error;
    }

    StepError error() {
      return error;
    }
  }

  private final GiteaServer gitea;
  private final StepCall call;
  private final InstantSource clock;
  private final String name;

  GiteaVisit(GiteaServer gitea, StepCall call, InstantSource clock) {
    this.gitea = gitea;
    this.call = call;
    this.clock = clock;
    this.name = text("name").orElse("");
  }

  private Optional<String> text(String field) {
    return Optional.ofNullable(call.config().get(field))
        .map(String::valueOf)
        .filter(value -> !value.isBlank());
  }

  private Duration left() {
    Duration left = Duration.between(clock.instant(), call.deadline());
    return left.isPositive() ? left : Duration.ofMillis(1);
  }

  Result result() throws IOException, InterruptedException {
    Optional<String> asked = text("owner").or(gitea::owner);
    for (String part : List.of(name, asked.orElse("-"))) {
      if (!NAME.matcher(part).matches() || part.matches("\\.+")) {
        return failed(
            "invalid-name",
            "'" + part + "' cannot be the name of a repository or its owner",
            "Letters, digits, '.', '_' and '-' are possible, at most 100.");
      }
    }
    return switch (text("operation").orElse("")) {
      case "create" -> create(asked, granted(asked));
      case "delete" -> delete(granted(asked));
      default ->
          failed("invalid-config", "operation must be create or delete", "Correct the workflow.");
    };
  }

  /** The owner, when the provider may use the repository. */
  private String granted(Optional<String> asked) throws IOException, InterruptedException {
    String owner = asked.isPresent() ? asked.get() : self();
    String address = gitea.repository(owner, name);
    if (!call.scope().grants().repository(address)) {
      throw new Unwilling(GitAddress.ungranted(address));
    }
    return owner;
  }

  private Result create(Optional<String> asked, String owner)
      throws IOException, InterruptedException {
    Answer found = look(owner);
    Maker maker = absentBefore() ? Maker.THIS_STEP : Maker.SOMEBODY_ELSE;
    if (found.ok()) {
      note(owner + "/" + name + " is there");
      return done(found.body(), maker);
    }
    if (!absentBefore()) {
      String what = "creation of " + owner + "/" + name;
      return new Result.Parked(clock.instant(), what, Map.of(ABSENT, true));
    }
    return created(owner, ask(asked.isEmpty() ? new Owner(owner, "user", "repos") : place(owner)));
  }

  private Answer ask(Owner owner) throws IOException, InterruptedException {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("name", name);
    body.put("description", text("description").orElse(""));
    body.put("private", flag("private"));
    body.put("auto_init", flag("autoInit"));
    return gitea.post(left(), call.lease(), body, owner.creation());
  }

  private boolean flag(String field) {
    return !"false".equals(text(field).orElse("true"));
  }

  private Result created(String owner, Answer answer) throws IOException, InterruptedException {
    note("asked for " + owner + "/" + name + ": status " + answer.status());
    if (answer.status() == 409) {
      Answer found = look(owner);
      if (found.ok()) {
        return done(found.body(), unsure() > 0 ? Maker.THIS_STEP : Maker.SOMEBODY_ELSE);
      }
    }
    if (answer.status() / 100 == 5) {
      return unclear(words(answer));
    }
    check(answer, "create " + owner + "/" + name);
    return done(answer.body(), Maker.THIS_STEP);
  }

  /** Organisations and users have repositories at different addresses. */
  private Owner place(String owner) throws IOException, InterruptedException {
    Answer organisation = gitea.get(left(), "orgs", owner);
    if (organisation.status() != 404) {
      return new Owner(owner, "orgs", owner, "repos");
    }
    return owner.equalsIgnoreCase(self())
        ? new Owner(owner, "user", "repos")
        : new Owner(owner, "admin", "users", owner, "repos");
  }

  private String self() throws IOException, InterruptedException {
    Answer user = gitea.get(left(), "user");
    check(user, "tell whose credentials these are");
    return String.valueOf(user.body().get("login"));
  }

  private Result delete(String owner) throws IOException, InterruptedException {
    Answer found = look(owner);
    if (found.status() / 100 == 3) {
      return failed(
          "repository-moved",
          owner + "/" + name + " was renamed or moved at " + gitea.label(),
          "Delete it by its new name, or rename it back.");
    }
    if (found.ok()) {
      Answer answer = gitea.delete(left(), call.lease(), "repos", owner, name);
      note("deleted " + owner + "/" + name + ": status " + answer.status());
      if (answer.status() != 404) {
        check(answer, "delete " + owner + "/" + name);
      }
    } else {
      note("there is no " + owner + "/" + name);
    }
    return done(found.ok() ? found.body() : Map.of("name", name), Maker.SOMEBODY_ELSE);
  }

  /** The repository; a missing one is an answer, too. */
  private Answer look(String owner) throws IOException, InterruptedException {
    Answer found = gitea.get(left(), "repos", owner, name);
    if (found.status() != 404 && found.status() / 100 != 3) {
      check(found, "look at " + owner + "/" + name);
    }
    return found;
  }

  private void check(Answer answer, String what) throws IOException {
    if (answer.passing()) {
      throw new IOException(words(answer));
    }
    if (!answer.ok()) {
      throw new Unwilling(
          StepError.permanent(
              code(answer.status()),
              gitea.label() + " would not " + what + ": " + words(answer),
              hint(answer.status())));
    }
  }

  /** It may or may not have happened: look again soon, with what is known. */
  Result unclear(String why) {
    if (absentBefore() && unsure() < MOST_LOOKS && left().compareTo(LOOK_AGAIN) > 0) {
      note(why + "; looking again");
      return new Result.Parked(
          clock.instant().plus(LOOK_AGAIN),
          "Gitea to answer",
          Map.of(ABSENT, true, UNSURE, unsure() + 1));
    }
    return new Result.Failed(
        StepError.passing("gitea-away", why, "Is Gitea up, and its url right?"), Map.of());
  }

  private boolean absentBefore() {
    return call.memory().containsKey(ABSENT);
  }

  private long unsure() {
    return call.memory().get(UNSURE) instanceof Number n ? n.longValue() : 0;
  }

  private Result done(Map<String, Object> repository, Maker maker) {
    Map<String, Object> outputs = new LinkedHashMap<>();
    outputs.put("repo_id", repository.get("id"));
    outputs.put("repo_name", repository.get("name"));
    outputs.put("repo_url", repository.get("html_url"));
    outputs.put("clone_url", repository.get("clone_url"));
    outputs.put("ssh_url", repository.get("ssh_url"));
    outputs.put("created", maker == Maker.THIS_STEP);
    return new Result.Succeeded(outputs, Set.of());
  }

  private void note(String text) {
    call.log().line(StepLog.Stream.NOTE, text);
  }

  private static String words(Answer answer) {
    Object message = answer.body().get("message");
    return "status " + answer.status() + (message == null ? "" : ", " + message);
  }

  private static String code(int status) {
    return switch (status) {
      case 401 -> "gitea-unauthorised";
      case 403 -> "gitea-forbidden";
      case 404 -> "owner-not-found";
      default -> "gitea-refused";
    };
  }

  private static @Nullable String hint(int status) {
    return switch (status) {
      case 401 -> "Check token, or username and password, below gitea in the configuration.";
      case 403 -> "The credentials in the configuration need the right to do this.";
      case 404 -> "Create the organisation or user first, or correct 'owner'.";
      default -> null;
    };
  }

  private static Result failed(String code, String message, String hint) {
    return new Result.Failed(StepError.permanent(code, message, hint), Map.of());
  }
}
