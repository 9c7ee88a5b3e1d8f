package dev.slipway.git;

import dev.slipway.engine.execute.RunLease;
import dev.slipway.git.GitFailure.Kind;
import java.util.List;
import java.util.Locale;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.transport.PushResult;
import org.eclipse.jgit.transport.RemoteRefUpdate;

/** Updates one ref of a remote repository if it still has the expected value (compare and swap). */
record Pushing(Remote remote, BoundedRepository local, RunLease lease) {
  /** Server messages about a concurrent update of the ref. */
  private static final List<String> RACE =
      List.of(
          "lock",
          "failed to update ref",
          "incorrect old value",
          "stale info",
          "fetch first",
          "non-fast-forward",
          "reference already exists");

  /** The result of a push. */
  enum Result {
    DONE,
    OVERTAKEN
  }

  /**
   * Updates the ref.
   *
   * @throws GitFailure when the remote rejects it
   */
  Result push(String ref, ObjectId expected, ObjectId to) throws InterruptedException {
    PushResult result = pushed(ref, expected, to);
    RemoteRefUpdate update = result.getRemoteUpdate(ref);
    return switch (update.getStatus()) {
      case OK, UP_TO_DATE -> Result.DONE;
      case REJECTED_NONFASTFORWARD, REJECTED_REMOTE_CHANGED -> Result.OVERTAKEN;
      case REJECTED_OTHER_REASON -> refused(ref, update.getMessage(), result.getMessages());
      case AWAITING_REPORT, NOT_ATTEMPTED -> throw unclear();
      case REJECTED_NODELETE, NON_EXISTING ->
          throw failure(ref, String.valueOf(update.getStatus()));
    };
  }

  /** Checks the lease once more after the remote has advertised its refs. */
  private PushResult pushed(String ref, ObjectId expected, ObjectId to)
      throws InterruptedException {
    lease.check();
    try {
      return remote.over(
          local,
          (transport, monitor) ->
              transport.push(
                  new LeasedProgress(monitor, lease),
                  List.of(new RemoteRefUpdate(local, to.name(), to, ref, false, null, expected))));
    } catch (GitFailure e) {
      lease.check();
      throw e;
    }
  }

  private Result refused(String ref, String reason, String messages) {
    String why = reason == null ? "" : reason;
    String folded = why.toLowerCase(Locale.ROOT);
    if (RACE.stream().anyMatch(folded::contains)) {
      return Result.OVERTAKEN;
    }
    String said = messages == null ? "" : messages.strip();
    throw failure(ref, said.isEmpty() ? why : why + ": " + said.replaceAll("\\s*\\n\\s*", " / "));
  }

  /** The outcome is unknown. */
  private GitFailure unclear() {
    return new GitFailure(
        Kind.BROKEN,
        "the server of " + remote + " did not say what became of the push",
        "It is looked for before it is tried again.");
  }

  private GitFailure failure(String ref, String reason) {
    String why = reason.isBlank() ? "it gives no reason" : reason;
    return new GitFailure(
        Kind.REJECTED,
        "the server of "
            + remote
            + " refuses the push to "
            + ref.replaceAll("^refs/(heads|tags)/", "")
            + ": "
            + TransportFailures.safe(remote, new Exception(why)),
        "Ask an administrator of the repository: the branch may be protected, or a hook may"
            + " refuse the change.");
  }
}
