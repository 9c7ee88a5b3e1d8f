package dev.slipway.steps.terraform;

import dev.slipway.engine.value.Json;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A private copy of a provider's files, so that a module may reference its siblings by relative
 * path and the program may write files beside it. States and downloads in the original are not
 * copied.
 */
record ModuleCopy(Path root, Path module) {
  private static final int MOST_FILES = 10_000;
  private static final long MOST_BYTES = 256L * 1024 * 1024;
  private static final Set<String> LEFT_OUT =
      Set.of(".git", ".terraform", ".terraform.tfstate.lock.info");
  private static final Pattern BACKEND =
      Pattern.compile("^\\s*(?:backend\\s+\"([^\"]*)\"|(cloud))\\s*\\{");

  /** Copies {@code from}; the module is at {@code path} below it. */
  static ModuleCopy make(Path from, Path path, Path to) throws IOException {
    Files.createDirectory(to);
    Files.walkFileTree(from, new Copying(from, to));
    ModuleCopy copy = new ModuleCopy(to, to.resolve(path.toString()).normalize());
    copy.checkModule(path);
    return copy;
  }

  private static final class Copying extends SimpleFileVisitor<Path> {
    private final Path from;
    private final Path to;
    private int files;
    private long bytes;

    Copying(Path from, Path to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
        throws IOException {
      if (LEFT_OUT.contains(String.valueOf(directory.getFileName()))) {
        return FileVisitResult.SKIP_SUBTREE;
      }
      Files.createDirectories(there(directory));
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      String name = String.valueOf(file.getFileName());
      if (LEFT_OUT.contains(name) || name.matches(".*\\.tfstate(\\..*)?")) {
        return FileVisitResult.CONTINUE;
      }
      count(attributes);
      if (attributes.isSymbolicLink()) {
        link(file);
      } else if (attributes.isRegularFile()) {
        Files.copy(file, there(file), LinkOption.NOFOLLOW_LINKS);
        there(file).toFile().setWritable(true, true);
      }
      return FileVisitResult.CONTINUE;
    }

    private Path there(Path path) {
      return to.resolve(from.relativize(path).toString());
    }

    private void count(BasicFileAttributes attributes) {
      files++;
      bytes += attributes.size();
      if (files > MOST_FILES || bytes > MOST_BYTES) {
        throw TerraformFailure.permanent(
            "module-too-large",
            "the provider's directory has more than "
                + (files > MOST_FILES ? MOST_FILES + " files" : MOST_BYTES / 1024 / 1024 + " MiB"),
            "Keep what its modules do not need somewhere else.");
      }
    }

    /** A link within the provider's files points to the same place in the copy. */
    private void link(Path link) throws IOException {
      Path target = Files.readSymbolicLink(link);
      Path leads = link.resolveSibling(target).normalize();
      if (target.isAbsolute() || !leads.startsWith(from)) {
        throw TerraformFailure.permanent(
            "link-outwards",
            from.relativize(link) + " is a link out of the provider's directory",
            "Put a copy of the file there.");
      }
      Files.createSymbolicLink(there(link), target);
    }
  }

  private void checkModule(Path path) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(module)) {
      files = all.filter(f -> f.toString().matches(".*\\.(tf|tofu)(\\.json)?")).sorted().toList();
    }
    if (files.isEmpty()) {
      throw TerraformFailure.permanent(
          "no-module", "'" + path + "' has no .tf files", "Is 'path' the directory of the module?");
    }
    for (Path file : files) {
      checkBackend(file, root.relativize(file));
    }
  }

  /**
   * Rejects a backend in the module: with two places for one state, resources would be created
   * twice.
   */
  private static void checkBackend(Path file, Path shown) throws IOException {
    String text = Files.readString(file);
    if (file.toString().endsWith(".json")) {
      if (jsonBackend(text)) {
        throw ownBackend(shown + "", "backend");
      }
      return;
    }
    String[] lines = text.replaceAll("(?s)/\\*.*?\\*/", "").split("\n", -1);
    for (int i = 0; i < lines.length; i++) {
      Matcher found = BACKEND.matcher(lines[i]);
      if (found.find()) {
        throw ownBackend(
            shown + ":" + (i + 1),
            found.group(2) == null ? "backend \"" + found.group(1) + "\"" : "cloud");
      }
    }
  }

  private static boolean jsonBackend(String text) {
    try {
      return Json.readMap(text).get("terraform") instanceof Map<?, ?> settings
          && (settings.containsKey("backend") || settings.containsKey("cloud"));
    } catch (RuntimeException e) {
      return false; // the program reports better what is wrong with it
    }
  }

  private static TerraformFailure ownBackend(String place, String what) {
    return TerraformFailure.permanent(
        "own-backend",
        place + ": the module has a place of its own for its state (" + what + ")",
        "Slipway keeps the state, encrypted and locked. Remove the block; to take over a state that"
            + " exists, import its objects with 'import' blocks.");
  }

  /** A file that only this server's user can read. */
  static Path secretFile(Path file, byte[] content) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.write(file, content);
  }

  /** The state file of the program. */
  Path state() {
    return module.resolve("terraform.tfstate");
  }

  /** The module's path in messages; empty for the provider's own directory. */
  String shown() {
    return root.relativize(module).toString();
  }
}
