package dev.slipway.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A real repository created with git: a bare one that is served, and a working copy in which a test
 * writes. Every commit is force-pushed at once.
 */
public final class GitRepository {
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "GIT_CONFIG_NOSYSTEM", "1",
          "GIT_CONFIG_GLOBAL", "/dev/null",
          "GIT_AUTHOR_NAME", "somebody",
          "GIT_AUTHOR_EMAIL", "somebody@example.org",
          "GIT_COMMITTER_NAME", "somebody",
          "GIT_COMMITTER_EMAIL", "somebody@example.org",
          "GIT_TERMINAL_PROMPT", "0");

  private final Path bare;
  private final Path work;

  private GitRepository(Path bare, Path work) {
    this.bare = bare;
    this.work = work;
  }

  /** An empty repository {@code NAME.git} below the directory, with {@code main} as its branch. */
  public static GitRepository create(Path directory, String name) {
    Path bare = directory.resolve(name + ".git");
    Path work = directory.resolve(name + "-work");
    git(directory, "init", "-q", "--bare", "-b", "main", bare.toString());
    git(directory, "init", "-q", "-b", "main", work.toString());
    git(work, "remote", "add", "origin", bare.toString());
    return new GitRepository(bare, work);
  }

  public Path bare() {
    return bare;
  }

  /** The files that the next commit takes. */
  public Path work() {
    return work;
  }

  /** As a {@code file://} URL. */
  public String url() {
    return "file://" + bare;
  }

  /** Writes a file of the working copy. */
  public GitRepository write(String path, String content) {
    try {
      Path file = work.resolve(path);
      Files.createDirectories(file.getParent());
      Files.writeString(file, content);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Commits all changes and pushes the branch; returns the commit's id. */
  public String commit(String message) {
    git(work, "add", "-A");
    git(work, "commit", "-q", "--allow-empty", "-m", message);
    push();
    return head();
  }

  /** Amends the last commit: the commit that clients fetched is no longer on the branch. */
  public String rewrite(String message) {
    git(work, "add", "-A");
    git(work, "commit", "-q", "--allow-empty", "--amend", "-m", message);
    push();
    return head();
  }

  private void push() {
    git(work, "push", "-q", "-f", "origin", "HEAD");
  }

  /** The commit of the working copy. */
  public String head() {
    return git(work, "rev-parse", "HEAD").strip();
  }

  /** An annotated tag at the commit of the working copy, moved there when it exists. */
  public GitRepository tag(String name) {
    git(work, "tag", "-f", "-a", "-m", name, name);
    git(work, "push", "-q", "-f", "origin", "refs/tags/" + name);
    return this;
  }

  /** Checks out a branch, creates it when it does not exist, and pushes it. */
  public GitRepository branch(String name) {
    git(work, "checkout", "-q", "-B", name);
    git(work, "push", "-q", "-f", "origin", "refs/heads/" + name);
    return this;
  }

  /** Removes a branch or tag of the shared repository. */
  public GitRepository remove(String ref) {
    git(bare, "update-ref", "-d", ref);
    return this;
  }

  /** Removes unreachable commits. */
  public GitRepository prune() {
    git(bare, "reflog", "expire", "--expire=now", "--all");
    git(bare, "gc", "-q", "--prune=now");
    return this;
  }

  /**
   * Adds a commit with that many files to a branch of the shared repository, without the working
   * copy; returns the commit's id.
   */
  public String fill(String branch, int files) {
    StringBuilder stream = new StringBuilder("commit refs/heads/" + branch + "\n");
    stream.append("committer somebody <somebody@example.org> 1700000000 +0000\ndata 4\nmany\n");
    for (int i = 0; i < files; i++) {
      String content = "content " + i;
      stream.append("M 644 inline d" + i % 100 + "/f" + i + "\n");
      stream.append("data " + content.length() + "\n" + content + "\n");
    }
    run(bare, List.of("git", "fast-import", "--quiet"), stream.toString());
    return git(bare, "rev-parse", branch).strip();
  }

  /** Runs a git command in the working copy and returns its output. */
  public String git(String... arguments) {
    return git(work, arguments);
  }

  /** Runs a git command in a directory. */
  public static String git(Path directory, String... arguments) {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    return run(directory, command, "");
  }

  private static String run(Path directory, List<String> command, String input) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().putAll(ENVIRONMENT);
    builder.redirectErrorStream(true);
    try {
      Process process = builder.start();
      try (var in = process.getOutputStream()) {
        in.write(input.getBytes(StandardCharsets.UTF_8));
      }
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", command) + ": " + out);
      }
      return out;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
