package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.value.Json;
import dev.slipway.git.Edit;
import dev.slipway.steps.process.ScriptDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.eclipse.jgit.lib.FileMode;

/**
 * The files that a git step writes into a repository, and the directory it clones into: the
 * workspace of its run, which later steps of the run can use and which is removed after the run.
 */
final class GitFiles {
  private static final int MOST_FILES = 10_000;
  private static final long MOST_BYTES = 64L << 20;

  private final StepCall call;
  private final Path workspace;
  private final Workspaces workspaces;
  private long bytes;

  GitFiles(Workspaces workspaces, StepCall call) {
    this.call = call;
    this.workspace = workspaces.of(call.scope().provider(), call.run());
    this.workspaces = workspaces;
  }

  private String text(String field) {
    return Objects.toString(call.config().get(field), "").strip();
  }

  /** The changes that {@code files}, or {@code sourcePath}, and {@code targetPath} ask for. */
  Map<String, Edit> edits(ScriptDirectory directory) throws IOException {
    Map<String, Edit> edits = new TreeMap<>();
    if (call.config().get("files") instanceof Map<?, ?> files) {
      files.forEach((name, content) -> edits.put(target(String.valueOf(name)), edit(content)));
    } else if (!text("sourcePath").isEmpty()) {
      read(source(directory), edits);
    }
    if (edits.isEmpty()) {
      throw new IllegalArgumentException("files or sourcePath must name a file to commit");
    }
    return edits;
  }

  private String target(String name) {
    String below = text("targetPath").replaceAll("/+$", "");
    boolean top = below.isEmpty() || below.equals(".");
    return Edit.path(top ? name : below + "/" + name);
  }

  private Edit edit(Object content) {
    return switch (content) {
      case null -> new Edit.Remove();
      case String text -> counted(Edit.Write.of(text));
      case Map<?, ?> map -> counted(Edit.Write.of(Json.pretty(map) + "\n"));
      case List<?> list -> counted(Edit.Write.of(Json.pretty(list) + "\n"));
      default -> counted(Edit.Write.of(String.valueOf(content)));
    };
  }

  private Edit counted(Edit.Write write) {
    bytes += write.content().length;
    if (bytes > MOST_BYTES) {
      throw new IllegalArgumentException("the files have more than 64 MiB together");
    }
    return write;
  }

  /** A path of the provider's, or an absolute one in the workspace of this run or a related one. */
  private Path source(ScriptDirectory directory) throws IOException {
    String asked = text("sourcePath");
    if (!asked.startsWith("/")) {
      return directory.ofProvider("sourcePath", asked);
    }
    Path wanted = Path.of(asked).normalize();
    Path holding =
        workspaces
            .holding(wanted, call.scope().provider(), call.run())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "sourcePath '"
                            + asked
                            + "' is neither in the provider nor in the run's workspace"));
    if (!Files.exists(wanted)) {
      throw new IllegalArgumentException(
          "sourcePath '"
              + asked
              + "' is not there; a run that moved to another server has to clone"
              + " again");
    }
    Path real = wanted.toRealPath();
    if (!real.startsWith(holding.toRealPath())) {
      throw new IllegalArgumentException("sourcePath '" + asked + "' leads out of the workspace");
    }
    return real;
  }

  private void read(Path source, Map<String, Edit> edits) throws IOException {
    if (!Files.isDirectory(source)) {
      edits.put(target(source.getFileName().toString()), file(source));
      return;
    }
    try (Stream<Path> walk = Files.walk(source)) {
      for (Path path : (Iterable<Path>) walk::iterator) {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
          edits.put(target(source.relativize(path).toString()), file(path));
        }
        if (edits.size() > MOST_FILES) {
          throw new IllegalArgumentException("sourcePath has more than " + MOST_FILES + " files");
        }
      }
    }
  }

  private Edit file(Path path) throws IOException {
    if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new IllegalArgumentException(
          "sourcePath: '" + path.getFileName() + "' is a link or no plain file");
    }
    if (bytes + Files.size(path) > MOST_BYTES) {
      throw new IllegalArgumentException("the files have more than 64 MiB together");
    }
    FileMode mode = Files.isExecutable(path) ? FileMode.EXECUTABLE_FILE : FileMode.REGULAR_FILE;
    return counted(new Edit.Write(Files.readAllBytes(path), mode));
  }

  /** Follows no link: an earlier clone or a program may have left one that leads elsewhere. */
  private void makeParents(Path target, String asked) throws IOException {
    Files.createDirectories(workspace);
    Path parent = workspace;
    for (Path name : workspace.relativize(target.getParent())) {
      parent = parent.resolve(name);
      if (Files.isSymbolicLink(parent)) {
        throw new IllegalArgumentException("targetPath '" + asked + "' leads through a link");
      }
      if (!name.toString().isEmpty() && !Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectory(parent);
      }
    }
  }

  /** The target of a clone: {@code targetPath} below the workspace, the step's name by default. */
  Path cloneTarget() throws IOException {
    String asked = text("targetPath").isEmpty() ? call.step().name() : text("targetPath");
    Path target = workspace.resolve(Edit.path(asked)).normalize();
    if (!target.startsWith(workspace) || target.equals(workspace)) {
      throw new IllegalArgumentException("targetPath '" + asked + "' leads out of the workspace");
    }
    makeParents(target, asked);
    return target;
  }
}
