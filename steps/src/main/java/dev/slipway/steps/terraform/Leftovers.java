package dev.slipway.steps.terraform;

import dev.slipway.engine.execute.ModuleStates.Holder;
import dev.slipway.engine.execute.ModuleStates.Lock;
import dev.slipway.steps.process.Removal;
import dev.slipway.steps.process.ScriptDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Directories that a step left on this machine when its server died, or when the database did not
 * accept its state: they hold the only record of what it created last.
 */
record Leftovers(List<Path> directories) {
  /** Records the lock that the directory is used under. */
  static void sign(ScriptDirectory directory, Lock lock) throws IOException {
    directory.sign(lock.id());
  }

  /** The directories of the holder of exactly this lock; older ones are obsolete. */
  static Leftovers of(Path data, Lock lock) throws IOException {
    Holder holder = lock.holder();
    Path first = ScriptDirectory.of(data, holder.run(), holder.step(), 1);
    String name = String.valueOf(first.getFileName());
    String any = Pattern.quote(name.substring(0, name.length() - 1)) + "\\d+";
    Path work = ScriptDirectory.allOf(data);
    if (!Files.isDirectory(work)) {
      return new Leftovers(List.of());
    }
    try (Stream<Path> all = Files.list(work)) {
      return new Leftovers(
          all.filter(p -> String.valueOf(p.getFileName()).matches(any))
              .filter(p -> signed(p, lock))
              .toList());
    }
  }

  private static boolean signed(Path directory, Lock lock) {
    try {
      return ScriptDirectory.signature(directory).filter(lock.id()::equals).isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  /** The state that was written last. */
  Optional<byte[]> state() throws IOException {
    Optional<Path> newest = Optional.empty();
    for (Path directory : directories) {
      try (Stream<Path> all = Files.find(directory, 20, (p, a) -> isState(p))) {
        newest =
            Stream.concat(all, newest.stream())
                .max(Comparator.comparingLong(p -> p.toFile().lastModified()));
      }
    }
    return newest.flatMap(StateFile::read);
  }

  private static boolean isState(Path path) {
    return path.endsWith("terraform.tfstate") && !path.endsWith(".terraform/terraform.tfstate");
  }

  /** Removes them once their content is stored. */
  void remove() {
    directories.forEach(Removal::attempt);
  }
}
