package dev.slipway.git;

import dev.slipway.engine.execute.RunLease;
import dev.slipway.git.GitFailure.Kind;
import dev.slipway.git.Written.Effect;
import java.io.IOException;
import java.util.List;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.TagBuilder;
import org.eclipse.jgit.revwalk.RevObject;
import org.eclipse.jgit.revwalk.RevTag;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.transport.RefSpec;

/**
 * Creates a tag on a commit of a remote repository. Never moves an existing tag.
 *
 * @param local a copy that no other thread uses at the same time
 */
public record TagWriter(Remote remote, BoundedRepository local, RunLease lease) {
  /**
   * Creates the tag.
   *
   * @param target a branch, or a full commit id; empty for the default branch
   * @throws GitFailure of kind REJECTED when the tag is on another commit
   */
  public Written write(String name, String target, String message, Signature signature)
      throws InterruptedException {
    String ref = Constants.R_TAGS + name;
    if (!Repository.isValidRefName(ref) || name.startsWith("-")) {
      throw new GitFailure(
          Kind.NO_REF, "'" + name + "' cannot be the name of a tag", "Correct the name.");
    }
    RemoteRefs refs = remote.refs();
    RemoteRefs.Target found = refs.resolve(target, RemoteRefs.Among.ALL);
    if (refs.tags().containsKey(name)) {
      return there(refs, name, found, signature);
    }
    remote.fetch(local, found.commit());
    ObjectId tag = tag(name, found.commit(), message, signature);
    if (new Pushing(remote, local, lease).push(ref, ObjectId.zeroId(), tag)
        == Pushing.Result.DONE) {
      return new Written(found.commit(), found.name(), Effect.CHANGED);
    }
    return there(remote.refs(), name, found, signature);
  }

  private Written there(
      RemoteRefs refs, String name, RemoteRefs.Target wanted, Signature signature) {
    String at = refs.tags().get(name);
    if (!wanted.commit().equals(at)) {
      throw new GitFailure(
          Kind.REJECTED,
          "the tag " + name + " of " + remote + " is on " + at + ", not on " + wanted.commit(),
          "A tag is never moved. Choose another name, or remove the tag there.");
    }
    Effect effect = isOurs(name, signature.key()) ? Effect.CHANGED : Effect.NONE;
    return new Written(wanted.commit(), wanted.name(), effect);
  }

  /** Whether an earlier attempt at this work created it. */
  private boolean isOurs(String name, Signature.WorkKey key) {
    String ref = Constants.R_TAGS + name;
    remote.over(
        local,
        (transport, monitor) -> {
          transport.setDepth(1);
          return transport.fetch(monitor, List.of(new RefSpec("+" + ref + ":" + ref)));
        });
    try (RevWalk walk = new RevWalk(local)) {
      ObjectId id = local.resolve(ref);
      RevObject object = id == null ? null : walk.parseAny(id);
      return object instanceof RevTag tag && key.in(tag.getFullMessage());
    } catch (IOException e) {
      return false;
    }
  }

  private ObjectId tag(String name, String commit, String message, Signature signature) {
    TagBuilder builder = new TagBuilder();
    builder.setTag(name);
    builder.setObjectId(ObjectId.fromString(commit), Constants.OBJ_COMMIT);
    builder.setTagger(signature.person());
    builder.setMessage(signature.signed(message));
    try (ObjectInserter inserter = local.newObjectInserter()) {
      ObjectId id = inserter.insert(builder);
      inserter.flush();
      return id;
    } catch (IOException e) {
      throw new GitFailure(
          Kind.BROKEN, "the tag cannot be made: " + e.getMessage(), "Check the disk.", e);
    }
  }
}
