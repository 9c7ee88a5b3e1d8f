package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.execute.StepLog;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One call of a gitea-repo step. Before it creates a repository it parks for a moment and stores
 * that there was none, so that after a crash or a lost answer an existing repository is known to be
 * created by this step: {@code created} is right in every case.
 */
final class GiteaRepoCall {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);
  private static final long MOST_LOOKS = 5;

  /** Memory key: the repository did not exist before the request. */
  private static final String ABSENT = "absentBefore";

  /** Memory key: the number of create requests without a clear answer. */
  private static final String UNSURE = "unsure";

  /** The owner of a repository, and the path at which one of theirs is created. */
  private record Owner(String name, String... creation) {}

  /** The creator of the repository. */
  private enum Maker {
    THIS_STEP,
    ANOTHER
  }

  private final GiteaServer gitea;
  private final StepCall call;
  private final InstantSource clock;
  private final String name;
  private final GiteaStamp stamp;

  GiteaRepoCall(GiteaServer gitea, StepCall call, InstantSource clock) {
    this.gitea = gitea;
    this.call = call;
    this.clock = clock;
    this.name = text("name").orElse("");
    this.stamp = GiteaStamp.of(call.scope());
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
        return Result.failed(
            "invalid-name",
            "'" + part + "' cannot be the name of a repository or its owner",
            "Letters, digits, '.', '_' and '-' are possible, at most 100.");
      }
    }
    return switch (text("operation").orElse("")) {
      case "create" -> create(asked, granted(asked));
      case "delete" -> delete(granted(asked));
      default ->
          Result.failed(
              "invalid-config", "operation must be create or delete", "Correct the workflow.");
    };
  }

  /** The owner, when the provider may use the repository. */
  private String granted(Optional<String> asked) throws IOException, InterruptedException {
    String owner = asked.isPresent() ? asked.get() : self();
    String address = gitea.repository(owner, name);
    if (!call.scope().grants().repository(address)) {
      throw new GiteaRefusal(GitAddress.ungranted(address));
    }
    return owner;
  }

  private Result create(Optional<String> asked, String owner)
      throws IOException, InterruptedException {
    GiteaAnswer found = look(owner);
    Maker maker = absentBefore() ? Maker.THIS_STEP : Maker.ANOTHER;
    if (found.ok()) {
      note(owner + "/" + name + " is there");
      return taken(owner, found, maker);
    }
    if (!absentBefore()) {
      String what = "creation of " + owner + "/" + name;
      return new Result.Parked(clock.instant(), what, Map.of(ABSENT, true));
    }
    return created(owner, ask(asked.isEmpty() ? new Owner(owner, "user", "repos") : place(owner)));
  }

  private GiteaAnswer ask(Owner owner) throws IOException, InterruptedException {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("name", name);
    body.put("description", stamp.on(text("description").orElse("")));
    body.put("private", flag("private"));
    body.put("auto_init", flag("autoInit"));
    return gitea.post(left(), call.lease(), body, owner.creation());
  }

  private boolean flag(String field) {
    return !"false".equals(text(field).orElse("true"));
  }

  private Result created(String owner, GiteaAnswer answer)
      throws IOException, InterruptedException {
    note("asked for " + owner + "/" + name + ": status " + answer.status());
    if (answer.status() == 409) {
      GiteaAnswer found = look(owner);
      if (found.ok()) {
        return taken(owner, found, unsure() > 0 ? Maker.THIS_STEP : Maker.ANOTHER);
      }
    }
    if (answer.status() / 100 == 5) {
      return unclear(answer.words());
    }
    check(answer, "create " + owner + "/" + name);
    return done(answer.body(), Maker.THIS_STEP);
  }

  /** Handles a repository that exists: the resource's own, one that it may adopt, or a refusal. */
  private Result taken(String owner, GiteaAnswer found, Maker maker)
      throws IOException, InterruptedException {
    return switch (stamp.read(found.body().get("description"))) {
      case OURS, ADOPTED -> done(found.body(), maker);
      case CONSENTS -> adopt(owner, found);
      case FOREIGN -> throw notOurs(owner);
    };
  }

  /** Adopts a repository: the administrator's grant of exactly this repository permits it. */
  private Result adopt(String owner, GiteaAnswer found) throws IOException, InterruptedException {
    if (!call.scope().grants().repositoryItself(gitea.repository(owner, name))) {
      throw notOurs(owner);
    }
    describe(owner, stamp.adopted(description(found)));
    note("adopted " + owner + "/" + name);
    return done(found.body(), Maker.ANOTHER);
  }

  private void describe(String owner, String text) throws IOException, InterruptedException {
    Map<String, Object> body = Map.of("description", text);
    check(
        gitea.patch(left(), call.lease(), body, "repos", owner, name),
        "describe " + owner + "/" + name);
  }

  private static String description(GiteaAnswer found) {
    return String.valueOf(found.body().get("description"));
  }

  private GiteaRefusal notOurs(String owner) {
    return new GiteaRefusal(
        StepError.permanent(
            "not-ours",
            owner + "/" + name + " at " + gitea.label() + " was not made for this resource",
            "Use another name. To let this resource adopt the repository, an administrator names it"
                + " in the provider's grants.repositories, without a pattern, and ends its"
                + " description with "
                + stamp.consent()
                + "."));
  }

  /** Organisations and users have repositories at different addresses. */
  private Owner place(String owner) throws IOException, InterruptedException {
    GiteaAnswer organisation = gitea.get(left(), "orgs", owner);
    if (organisation.status() != 404) {
      return new Owner(owner, "orgs", owner, "repos");
    }
    return owner.equalsIgnoreCase(self())
        ? new Owner(owner, "user", "repos")
        : new Owner(owner, "admin", "users", owner, "repos");
  }

  private String self() throws IOException, InterruptedException {
    GiteaAnswer user = gitea.get(left(), "user");
    check(user, "tell whose credentials these are");
    return String.valueOf(user.body().get("login"));
  }

  private Result delete(String owner) throws IOException, InterruptedException {
    GiteaAnswer found = look(owner);
    if (found.status() / 100 == 3) {
      return Result.failed(
          "repository-moved",
          owner + "/" + name + " was renamed or moved at " + gitea.label(),
          "Delete it by its new name, or rename it back.");
    }
    if (found.ok()) {
      remove(owner, found);
    } else {
      note("there is no " + owner + "/" + name);
    }
    return done(found.ok() ? found.body() : Map.of("name", name), Maker.ANOTHER);
  }

  private void remove(String owner, GiteaAnswer found) throws IOException, InterruptedException {
    switch (stamp.read(found.body().get("description"))) {
      case OURS -> {
        GiteaAnswer answer = gitea.delete(left(), call.lease(), "repos", owner, name);
        note("deleted " + owner + "/" + name + ": status " + answer.status());
        if (answer.status() != 404) {
          check(answer, "delete " + owner + "/" + name);
        }
      }
      case ADOPTED -> {
        describe(owner, stamp.released(description(found)));
        note("released " + owner + "/" + name + ", which was adopted");
      }
      case CONSENTS, FOREIGN -> throw notOurs(owner);
    }
  }

  /** Reads the repository; a missing one is a result, too. */
  private GiteaAnswer look(String owner) throws IOException, InterruptedException {
    GiteaAnswer found = gitea.get(left(), "repos", owner, name);
    if (found.status() != 404 && found.status() / 100 != 3) {
      check(found, "look at " + owner + "/" + name);
    }
    return found;
  }

  private void check(GiteaAnswer answer, String what) throws IOException {
    if (answer.passing()) {
      throw new IOException(answer.words());
    }
    if (!answer.ok()) {
      throw new GiteaRefusal(
          StepError.permanent(
              answer.code(),
              gitea.label() + " would not " + what + ": " + answer.words(),
              answer.hint()));
    }
  }

  /** The request may or may not have succeeded: parks and checks again soon, keeping the memory. */
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
}
