package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Grant;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import dev.slipway.git.BoundedRepository;
import dev.slipway.git.BranchWriter;
import dev.slipway.git.GitFailure;
import dev.slipway.git.Remote;
import dev.slipway.git.RemoteRefs;
import dev.slipway.git.Signature;
import dev.slipway.git.TagWriter;
import dev.slipway.git.TreeLimits;
import dev.slipway.git.TreeListing;
import dev.slipway.git.TreeMode;
import dev.slipway.git.TreeWriter;
import dev.slipway.git.Written;
import dev.slipway.steps.HostRules.Verdict;
import dev.slipway.steps.process.Removal;
import dev.slipway.steps.process.ScriptDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Reads and writes remote repositories. Commits and tags carry the attempt's key as a trailer;
 * after a crash and before every retry the executor looks for it, so that nothing is committed
 * twice.
 *
 * @param workspaces beside which its private directories lie
 * @param gitea the configuration of Gitea in force
 */
public record GitExecutor(
    Workspaces workspaces,
    Supplier<Map<String, Object>> gitea,
    HostRules hosts,
    InstantSource clock)
    implements StepExecutor {
  static final StepType TYPE =
      new StepType(
              "git",
              Set.of("git-commit-manifests"),
              List.of(
                  new Field("operation", Kind.TEXT, Need.OPTIONAL, "commit when left out")
                      .oneOf("clone", "commit", "tag"),
                  new Field(
                          "repository",
                          Kind.TEXT,
                          Need.REQUIRED,
                          "its URL: https, http, ssh, user@host:path or file; one that the"
                              + " provider is granted, as a literal, `{{ .config.NAME }}` or an"
                              + " output of a gitea-repo step")
                      .granted(Grant.REPOSITORIES, GiteaRepoExecutor.NAME),
                  new Field(
                      "branch",
                      Kind.TEXT,
                      Need.OPTIONAL,
                      "the default branch when left out; commit makes a new one from it, clone also"
                          + " takes a tag or a commit id"),
                  new Field(
                      "files",
                      Kind.MAP,
                      Need.OPTIONAL,
                      "content by path, for commit; a map or a list is written as JSON, null"
                          + " removes the file or directory"),
                  new Field(
                      "sourcePath",
                      Kind.TEXT,
                      Need.OPTIONAL,
                      "instead of files: a file or directory of the provider, or below the `path`"
                          + " that an earlier clone of this run, or of the run that it retries,"
                          + " gave"),
                  new Field(
                      "targetPath",
                      Kind.TEXT,
                      Need.OPTIONAL,
                      "for commit the directory of the repository to write in, its top when left"
                          + " out; for clone the directory's name in the run's workspace"),
                  new Field("message", Kind.TEXT, Need.OPTIONAL, "of the commit or tag"),
                  new Field("tag", Kind.TEXT, Need.OPTIONAL, "the tag's name, for tag"),
                  new Field(
                      "commit",
                      Kind.TEXT,
                      Need.OPTIONAL,
                      "the commit's full id, for tag; the branch's newest when left out"),
                  new Field(
                      "author",
                      Kind.TEXT,
                      Need.OPTIONAL,
                      "`Name <mail>`; slipway <slipway@localhost> when left out"),
                  new Field(
                      "credentials",
                      Kind.VALUE,
                      Need.OPTIONAL,
                      "a token, or username and password, or privateKey and knownHosts, best from"
                          + " `.context.secrets`; the configured Gitea needs none")),
              3,
              StepType.Code.NONE)
          .atMostOne("files", "sourcePath")
          .documented(
              "Commits files to a branch, tags a commit, or fetches the files of one. The host must"
                  + " be granted to the provider, and the address that was checked is the one that is"
                  + " connected to; `file://` is the grant for repositories on the server's disk,"
                  + " whose hooks do not run; that of the configured Gitea is granted, and its"
                  + " credentials are used. A clone has no history and stays on this server for a"
                  + " day after the run.",
              "No connection is transient. A push that another push overtook is rebased onto it up"
                  + " to five times; only if both changed the same lines it fails. A tag that"
                  + " exists is never moved. Commit and tag carry a `Slipway-Key` trailer, by which"
                  + " a repeated attempt finds what was done already.")
          .giving("commit_sha", "the commit that is there now")
          .giving("branch", "the branch's name")
          .giving("changed", "whether this step wrote to the repository")
          .giving("path", "where a clone's files are");

  private static final String AUTHOR = "slipway <slipway@localhost>";

  @Override
  public StepType type() {
    return TYPE;
  }

  @Override
  public Result execute(StepCall call) throws InterruptedException {
    try (ScriptDirectory directory = ScriptDirectory.create(workspaces.data(), call)) {
      GitAddress address = GitAddress.of(call.config(), gitea.get());
      return switch (address.judge(hosts, call.scope().grants())) {
        case Verdict.Refused(StepError error) -> new Result.Failed(error, Map.of());
        case Verdict.Allowed(List<InetAddress> addresses) ->
            result(call, directory, address.remote(addresses, left(call)));
      };
    } catch (GitFailure e) {
      return failed(e);
    } catch (IOException | UncheckedIOException e) {
      return Result.failed(
          "no-room", "files cannot be written: " + e.getMessage(), "Check the disk.");
    } catch (IllegalArgumentException e) {
      return Result.failed("invalid-config", String.valueOf(e.getMessage()), null);
    }
  }

  private Result result(StepCall call, ScriptDirectory directory, Remote remote)
      throws IOException, InterruptedException {
    try (BoundedRepository local =
        BoundedRepository.open(directory.path().resolve("copy.git"), remote.limits())) {
      return result(call, directory, remote, local);
    }
  }

  private Result result(
      StepCall call, ScriptDirectory directory, Remote remote, BoundedRepository local)
      throws IOException, InterruptedException {
    String operation = text(call, "operation").orElse("commit");
    note(call, operation + " at " + remote);
    return switch (operation) {
      case "clone" -> cloned(call, remote, local);
      case "commit" -> committed(call, directory, remote, local);
      case "tag" -> tagged(call, remote, local);
      default ->
          Result.failed("invalid-config", "operation must be clone, commit or tag", "Correct it.");
    };
  }

  private Result committed(
      StepCall call, ScriptDirectory directory, Remote remote, BoundedRepository local)
      throws IOException, InterruptedException {
    var edits = new GitFiles(workspaces, call).edits(directory);
    String branch = text(call, "branch").orElse("");
    Signature signature = signature(call);
    BranchWriter writer = new BranchWriter(remote, local, call.lease(), line -> note(call, line));
    if (repeated(call)) {
      Optional<Written> done = writer.find(branch, signature.key());
      if (done.isPresent()) {
        note(call, "found commit " + done.get().commit() + " of an earlier attempt");
        return done(done.get());
      }
    }
    String usual =
        "Update "
            + (edits.size() == 1 ? edits.keySet().iterator().next() : edits.size() + " files")
            + Optional.ofNullable(call.scope().root())
                .map(root -> " for " + root.name())
                .orElse("");
    return done(writer.write(branch, edits, text(call, "message").orElse(usual), signature));
  }

  private Result tagged(StepCall call, Remote remote, BoundedRepository local)
      throws InterruptedException {
    String name = text(call, "tag").orElse("");
    String target = text(call, "commit").or(() -> text(call, "branch")).orElse("");
    String message = text(call, "message").orElse(name);
    return done(
        new TagWriter(remote, local, call.lease()).write(name, target, message, signature(call)));
  }

  private Result cloned(StepCall call, Remote remote, BoundedRepository local) throws IOException {
    Path target = new GitFiles(workspaces, call).cloneTarget();
    RemoteRefs.Target found =
        remote.refs().resolve(text(call, "branch").orElse(""), RemoteRefs.Among.ALL);
    remote.fetch(local, found.commit());
    var entries = TreeListing.of(local, found.commit(), TreeLimits.USUAL);
    Path fresh = Files.createTempDirectory(target.getParent(), ".clone-");
    new TreeWriter(local, fresh, TreeMode.WRITABLE).write(entries);
    Removal.of(target);
    Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
    note(call, entries.size() + " files and directories of " + found.commit());
    Map<String, Object> outputs =
        outputs(new Written(found.commit(), found.name(), Written.Effect.NONE));
    outputs.put("path", target.toString());
    return new Result.Succeeded(outputs, Set.of());
  }

  /** Whether an earlier attempt may have succeeded. */
  private static boolean repeated(StepCall call) {
    return call.origin() == StepCall.Origin.RECOVERED || call.attempt() > 1;
  }

  private Signature signature(StepCall call) {
    String work = call.run() + "/" + call.step().name() + "/";
    return Signature.of(
        text(call, "author").orElse(AUTHOR),
        clock.instant(),
        new Signature.WorkKey(call.key(), work));
  }

  private static Result done(Written written) {
    return new Result.Succeeded(outputs(written), Set.of());
  }

  private static Map<String, Object> outputs(Written written) {
    Map<String, Object> outputs = new LinkedHashMap<>();
    outputs.put("commit_sha", written.commit());
    outputs.put("branch", written.branch());
    outputs.put("changed", written.effect() == Written.Effect.CHANGED);
    return outputs;
  }

  private static Optional<String> text(StepCall call, String field) {
    return Optional.of(Objects.toString(call.config().get(field), "").strip())
        .filter(t -> !t.isEmpty());
  }

  private static void note(StepCall call, String line) {
    call.log().line(StepLog.Stream.NOTE, line);
  }

  private Duration left(StepCall call) {
    Duration left = Duration.between(clock.instant(), call.deadline());
    return left.isPositive() ? left : Duration.ofMillis(1);
  }

  private static Result failed(GitFailure e) throws InterruptedException {
    if (e.kind() == GitFailure.Kind.INTERRUPTED) {
      throw new InterruptedException();
    }
    String code = "git-" + e.kind().name().toLowerCase(Locale.ROOT).replace('_', '-');
    return new Result.Failed(
        e.mayPass()
            ? StepError.passing(code, String.valueOf(e.getMessage()), e.hint())
            : StepError.permanent(code, String.valueOf(e.getMessage()), e.hint()),
        Map.of());
  }
}
