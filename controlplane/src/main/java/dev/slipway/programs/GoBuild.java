package dev.slipway.programs;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Builds the programs of a Go module into the user's cache, each once a machine. A build writes to
 * a directory of its own and renames, so an interrupted one leaves nothing half done; a lock lets
 * one process at a time build.
 *
 * @param cache where the programs are kept
 * @param progress receives a line when a build begins and when it has ended
 */
public record GoBuild(GoModule module, Path cache, Consumer<String> progress) {
  private static final Duration LIMIT = Duration.ofMinutes(40);
  private static final String UNFINISHED = ".unfinished";
  private static final int TAIL = 15;

  /** Keeps the programs where the module says, in the user's cache. */
  public static GoBuild intoUserCache(GoModule module, Consumer<String> progress) {
    return new GoBuild(module, UserCache.directory().resolve(module.cache()), progress);
  }

  /**
   * The program in the cache, when it is there and no other pins were in force when it was built.
   */
  public Optional<Path> cached(String program) {
    Path file = cache.resolve(program);
    Path pins = pinsOf(file);
    try {
      boolean usable =
          Files.isExecutable(file)
              && (!Files.exists(pins) || Files.readString(pins).strip().equals(module.digest()));
      return usable ? Optional.of(file) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The program in the cache, built if necessary. */
  public Path program(String program) {
    return cached(program).orElseGet(() -> lockedBuild(program));
  }

  private Path lockedBuild(String program) {
    // A file lock belongs to the process; its threads exclude each other by the monitor.
    synchronized (GoBuild.class) {
      try {
        Files.createDirectories(cache);
        try (FileChannel channel =
                FileChannel.open(
                    cache.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock _ = lock(channel, program)) {
          Optional<Path> builtMeanwhile = cached(program);
          if (builtMeanwhile.isEmpty()) {
            removeUnfinished(cache);
            build(program, Files.createTempDirectory(cache, UNFINISHED));
          }
        }
      } catch (IOException e) {
        throw new ProgramException(program + " cannot be built in " + cache + ": " + e, e);
      }
    }
    return cache.resolve(program);
  }

  private FileLock lock(FileChannel channel, String program) throws IOException {
    FileLock lock = channel.tryLock();
    if (lock == null) {
      progress.accept("waiting for another process, which builds into the cache (" + program + ")");
      lock = channel.lock();
    }
    return lock;
  }

  private void build(String program, Path directory) throws IOException {
    Path go =
        SearchPath.find("go")
            .orElseThrow(
                () ->
                    new ProgramException(
                        "there is no 'go' on the PATH to build "
                            + program
                            + ". Install Go, the version that its go.mod names or newer."));
    progress.accept("building " + program + " with " + go);
    long start = System.nanoTime();
    Files.writeString(directory.resolve("go.mod"), module.mod());
    Files.writeString(directory.resolve("go.sum"), module.sum());
    Path log = directory.resolve("build.log");
    run(command(go, program), directory, log);
    Path target = cache.resolve(program);
    Files.move(directory.resolve(program), target, StandardCopyOption.ATOMIC_MOVE);
    Files.writeString(pinsOf(target), module.digest() + "\n");
    remove(directory);
    progress.accept(
        "built %s in %d s"
            .formatted(program, Duration.ofNanos(System.nanoTime() - start).toSeconds()));
  }

  private List<String> command(Path go, String program) {
    String source = module.packages().get(program);
    if (source == null) {
      throw new IllegalArgumentException("the module pins no " + program);
    }
    List<String> command = new ArrayList<>();
    command.addAll(List.of(go.toString(), "build", "-trimpath", "-buildvcs=false"));
    command.addAll(List.of("-tags", module.tags(), "-ldflags", module.linkerFlags()));
    command.addAll(List.of("-o", program, source));
    return command;
  }

  private static void run(List<String> command, Path directory, Path log) throws IOException {
    ProcessBuilder go = ChildProcess.builder(command).redirectOutput(log.toFile());
    go.directory(directory.toFile());
    go.environment().put("CGO_ENABLED", "0");
    go.environment().put("GOWORK", "off");
    Process building = go.start();
    try {
      if (!building.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new ProgramException("go build is not done after " + LIMIT.toMinutes() + " minutes");
      }
      if (building.exitValue() != 0) {
        throw new ProgramException("go build failed and said:\n" + tail(log));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProgramException("go build was interrupted", e);
    } finally {
      building.destroyForcibly();
    }
  }

  private static String tail(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
  }

  private static Path pinsOf(Path program) {
    return program.resolveSibling(program.getFileName() + ".pins");
  }

  private static void removeUnfinished(Path cache) throws IOException {
    try (Stream<Path> all = Files.list(cache)) {
      for (Path each : all.toList()) {
        if (each.getFileName().toString().startsWith(UNFINISHED)) {
          remove(each);
        }
      }
    }
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
