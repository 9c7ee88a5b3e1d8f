package dev.slipway.git;

import dev.slipway.engine.execute.RunLease;
import dev.slipway.git.GitFailure.Kind;
import dev.slipway.git.Written.Effect;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.merge.MergeStrategy;
import org.eclipse.jgit.merge.ResolveMerger;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.transport.RefSpec;
import org.jspecify.annotations.Nullable;

/**
 * Adds a change to a branch of a remote repository as one commit, also with concurrent writers: the
 * push succeeds only if the branch is at the commit that was read; otherwise the change is rebased
 * onto the new commits, unless they touch the same lines.
 *
 * @param local a copy that no other thread uses at the same time
 */
public record BranchWriter(
    Remote remote, BoundedRepository local, RunLease lease, Consumer<String> log) {
  private static final int MOST_REBASES = 5;
  private static final int LONGEST_HISTORY = 10_000;
  private static final int SHALLOW_HISTORY = 1_000;
  private static final String FIRST_BRANCH = "main";

  /** The name of the branch; the default branch for an empty one. */
  private static String branch(RemoteRefs refs, String asked) {
    String name = asked.strip().replaceAll("^" + Constants.R_HEADS, "");
    if (name.isEmpty()) {
      return refs.defaultBranch().orElse(FIRST_BRANCH);
    }
    if (!Repository.isValidRefName(Constants.R_HEADS + name)) {
      throw new GitFailure(
          Kind.NO_REF, "'" + name + "' cannot be the name of a branch", "Correct the name.");
    }
    return name;
  }

  /** The commit of an earlier attempt at the same work, if it was pushed. */
  public Optional<Written> find(String asked, Signature.WorkKey key) {
    RemoteRefs refs = remote.refs();
    String branch = branch(refs, asked);
    String tip = refs.branches().get(branch);
    if (tip == null) {
      return Optional.empty();
    }
    history(branch);
    try (RevWalk walk = new RevWalk(local)) {
      walk.markStart(walk.parseCommit(ObjectId.fromString(tip)));
      int seen = 0;
      for (RevCommit commit : walk) {
        if (key.in(commit.getFullMessage())) {
          return Optional.of(new Written(commit.name(), branch, Effect.CHANGED));
        }
        if (++seen >= LONGEST_HISTORY) {
          break;
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private void history(String branch) {
    RefSpec spec = new RefSpec("+" + Constants.R_HEADS + branch + ":refs/slipway/" + branch);
    try {
      remote.over(local, (transport, monitor) -> transport.fetch(monitor, List.of(spec)));
    } catch (GitFailure e) {
      if (e.kind() != Kind.TOO_LARGE) {
        throw e;
      }
      remote.over(
          local,
          (transport, monitor) -> {
            transport.setDepth(SHALLOW_HISTORY);
            return transport.fetch(monitor, List.of(spec));
          });
    }
  }

  /**
   * Commits and pushes.
   *
   * @throws GitFailure also of kind CONFLICT or OVERTAKEN
   */
  public Written write(String asked, Map<String, Edit> edits, String message, Signature signature)
      throws InterruptedException {
    RemoteRefs refs = remote.refs();
    String branch = branch(refs, asked);
    Base base = base(refs, branch);
    try (ObjectInserter inserter = local.newObjectInserter()) {
      ObjectId tree = new EditedTree(local, inserter, base.tree()).with(edits);
      for (int round = 0; ; round++) {
        if (tree.equals(base.tree()) && (base.tip() != null || base.parent() == null)) {
          log.accept("nothing to change on " + branch);
          return new Written(base.tip(), branch, Effect.NONE);
        }
        ObjectId commit = commit(inserter, tree, base, message, signature);
        if (pushed(branch, base, commit)) {
          log.accept("pushed " + commit.name() + " to " + branch);
          return new Written(commit.name(), branch, Effect.CHANGED);
        }
        if (round == MOST_REBASES) {
          throw overtaken(branch);
        }
        log.accept(
            branch + " has newer commits from another push; the change is rebased onto them");
        pause(round);
        Base next = base(remote.refs(), branch);
        tree = rebased(base, next, tree);
        base = next;
      }
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /**
   * The commit that the change is applied to.
   *
   * @param tip where the branch is; null when it does not exist yet
   * @param parent null in an empty repository
   */
  private record Base(@Nullable String tip, @Nullable ObjectId parent, ObjectId tree) {}

  /** A branch that does not exist starts at the default branch. */
  private Base base(RemoteRefs refs, String branch) {
    String tip = refs.branches().get(branch);
    String start = tip != null ? tip : refs.defaultBranch().map(refs.branches()::get).orElse(null);
    if (start == null) {
      return new Base(null, null, EditedTree.EMPTY);
    }
    remote.fetch(local, start);
    try (RevWalk walk = new RevWalk(local)) {
      RevCommit commit = walk.parseCommit(ObjectId.fromString(start));
      return new Base(tip, commit.copy(), commit.getTree().copy());
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private static ObjectId commit(
      ObjectInserter inserter, ObjectId tree, Base base, String message, Signature signature)
      throws IOException {
    CommitBuilder builder = new CommitBuilder();
    builder.setTreeId(tree);
    if (base.parent() != null) {
      builder.setParentId(base.parent());
    }
    builder.setAuthor(signature.person());
    builder.setCommitter(signature.person());
    builder.setMessage(signature.signed(message));
    ObjectId id = inserter.insert(builder);
    inserter.flush();
    return id;
  }

  /** A push whose answer was lost may still have arrived. */
  private boolean pushed(String branch, Base base, ObjectId commit) throws InterruptedException {
    ObjectId expected = base.tip() == null ? ObjectId.zeroId() : ObjectId.fromString(base.tip());
    try {
      return new Pushing(remote, local, lease).push(Constants.R_HEADS + branch, expected, commit)
          == Pushing.Result.DONE;
    } catch (GitFailure e) {
      if (e.mayPass()
          && e.kind() != Kind.INTERRUPTED
          && commit.name().equals(remote.refs().branches().get(branch))) {
        return true;
      }
      throw e;
    }
  }

  /** This writer's change, rebased onto commits of other writers. */
  private ObjectId rebased(Base from, Base to, ObjectId ours) throws IOException {
    ResolveMerger merger = (ResolveMerger) MergeStrategy.RESOLVE.newMerger(local, true);
    merger.setBase(from.tree());
    if (!merger.merge(to.tree(), ours)) {
      throw new GitFailure(
          Kind.CONFLICT,
          "a push made meanwhile changed the same lines of "
              + String.join(", ", merger.getUnmergedPaths())
              + " in "
              + remote,
          "Look at its commits; run the step again to put this change over it.");
    }
    return merger.getResultTreeId();
  }

  private static void pause(int round) throws InterruptedException {
    Thread.sleep(ThreadLocalRandom.current().nextLong(20L, 100L << round));
  }

  private GitFailure overtaken(String branch) {
    return new GitFailure(
        Kind.OVERTAKEN,
        branch
            + " of "
            + remote
            + " received another push before this one, "
            + (MOST_REBASES + 1)
            + " times in a row",
        "Run the step again when fewer pushes go to this branch.");
  }

  private GitFailure broken(IOException e) {
    return new GitFailure(
        Kind.BROKEN,
        "the change of " + remote + " cannot be made: " + e.getMessage(),
        "Check the disk of the data directory.",
        e);
  }
}
