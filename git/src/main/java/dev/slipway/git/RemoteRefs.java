package dev.slipway.git;

import dev.slipway.engine.intake.Nearest;
import dev.slipway.git.GitFailure.Kind;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;

/**
 * A snapshot of a repository's branches and tags by short name, each with its commit; an annotated
 * tag with the commit it points to.
 */
public record RemoteRefs(
    String url,
    Map<String, String> branches,
    Map<String, String> tags,
    Optional<String> defaultBranch) {
  private static final Pattern COMMIT = Pattern.compile("[0-9a-fA-F]{40}");

  /** The kinds of refs that a name may resolve to. */
  public enum Among {
    /** A full commit id, else a tag, else a branch; an empty name is the default branch. */
    ALL,
    COMMITS,
    TAGS,
    BRANCHES
  }

  /** The kind of ref that a name resolved to. */
  public enum Found {
    COMMIT,
    TAG,
    BRANCH
  }

  /**
   * The commit that a name resolved to.
   *
   * @param ambiguous whether a branch of the same name exists beside the tag
   */
  public record Target(String name, Found found, String commit, boolean ambiguous) {}

  static RemoteRefs of(RepositoryUrl url, Collection<Ref> advertised) {
    Map<String, String> branches = new TreeMap<>();
    Map<String, String> tags = new TreeMap<>();
    Optional<String> head = Optional.empty();
    for (Ref ref : advertised) {
      ObjectId id = ref.getPeeledObjectId() == null ? ref.getObjectId() : ref.getPeeledObjectId();
      String name = ref.getName();
      if (id == null) {
        continue;
      }
      if (name.startsWith(Constants.R_HEADS)) {
        branches.put(name.substring(Constants.R_HEADS.length()), id.name());
      } else if (name.startsWith(Constants.R_TAGS)) {
        tags.put(name.substring(Constants.R_TAGS.length()), id.name());
      } else if (name.equals(Constants.HEAD) && ref.isSymbolic()) {
        head = Optional.of(ref.getTarget().getName().substring(Constants.R_HEADS.length()));
      }
    }
    return new RemoteRefs(url.text(), Map.copyOf(branches), Map.copyOf(tags), head);
  }

  /** Whether that is the full id of a commit. */
  public static boolean isCommit(String ref) {
    return COMMIT.matcher(ref).matches();
  }

  /**
   * Resolves a name.
   *
   * @throws GitFailure when there is no ref of that name
   */
  public Target resolve(String written, Among among) {
    String ref = written.strip();
    if (ref.isEmpty()) {
      return head();
    }
    if (isCommit(ref) && (among == Among.ALL || among == Among.COMMITS)) {
      return new Target(ref, Found.COMMIT, ref.toLowerCase(java.util.Locale.ROOT), false);
    }
    Optional<Target> tag =
        ref.startsWith(Constants.R_HEADS)
            ? Optional.empty()
            : find(tags, without(ref, Constants.R_TAGS), Found.TAG);
    Optional<Target> branch =
        ref.startsWith(Constants.R_TAGS)
            ? Optional.empty()
            : find(branches, without(ref, Constants.R_HEADS), Found.BRANCH);
    return switch (among) {
      case TAGS -> tag.orElseThrow(() -> missing("tag", ref));
      case BRANCHES -> branch.orElseThrow(() -> missing("branch", ref));
      case COMMITS -> throw missing("commit", ref);
      case ALL ->
          tag.map(t -> new Target(t.name(), t.found(), t.commit(), branch.isPresent()))
              .or(() -> branch)
              .orElseThrow(() -> missing("tag or branch", ref));
    };
  }

  private Target head() {
    if (branches.isEmpty() && tags.isEmpty()) {
      throw new GitFailure(
          Kind.NO_REF, "the repository " + url + " is empty", "Push a first commit to it.");
    }
    return defaultBranch
        .flatMap(name -> find(branches, name, Found.BRANCH))
        .orElseThrow(
            () ->
                new GitFailure(
                    Kind.NO_REF,
                    "the repository " + url + " does not say what its default branch is",
                    "Name a branch, a tag or a commit."));
  }

  private static Optional<Target> find(Map<String, String> commits, String name, Found found) {
    return Optional.ofNullable(commits.get(name))
        .map(commit -> new Target(name, found, commit, false));
  }

  private GitFailure missing(String what, String ref) {
    if (branches.isEmpty() && tags.isEmpty()) {
      return new GitFailure(
          Kind.NO_REF,
          "the repository " + url + " is empty, so it has no " + what + " '" + ref + "'",
          "Push a first commit to it.");
    }
    if (what.equals("commit")) {
      return new GitFailure(
          Kind.NO_REF, "'" + ref + "' is no full commit id", "Write all 40 characters of it.");
    }
    List<String> names =
        what.equals("tag")
            ? List.copyOf(tags.keySet())
            : what.equals("branch")
                ? List.copyOf(branches.keySet())
                : java.util.stream.Stream.concat(tags.keySet().stream(), branches.keySet().stream())
                    .toList();
    return new GitFailure(
        Kind.NO_REF,
        "the repository " + url + " has no " + what + " '" + ref + "'",
        Nearest.to(ref, names)
            .map(n -> "Did you mean '" + n + "'?")
            .orElse("Push it, or correct the name."));
  }

  private static String without(String ref, String prefix) {
    return ref.startsWith(prefix) ? ref.substring(prefix.length()) : ref;
  }
}
