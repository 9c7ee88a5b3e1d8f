package dev.slipway.promises;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A provider whose only step starts a tree of processes, children that leave its session among
 * them, and never ends. Repeated, it first writes down which processes of the former time are still
 * alive, and then ends as soon as it is let.
 */
final class StepProcesses {
  /** As configured for its servers. */
  static final Duration LEASE = Duration.ofSeconds(5);

  /** What is rendered for the step, with the application's name before it. */
  private static final String PRIVATE = "-rendered-for-the-step-4711";

  /** It leaves what it was given in a file of its own too, among bytes that are no text. */
  private static final String SCRIPT =
      """
      W='%s'
      started() { set -- $(sed 's/.*) //' /proc/$1/stat); shift 19; echo "$1"; }
      living() {
        while read -r pid start; do
          set -- $(sed 's/.*) //' /proc/$pid/stat 2>/dev/null)
          case ${1:-gone} in gone|[ZX]*) continue;; esac
          shift 19
          [ "$1" = "$start" ] || continue
          echo "$pid $(tr '\\0' ' ' < /proc/$pid/cmdline)"
        done < "$W/$APP_NAME.processes"
      }
      if [ -e "$W/$APP_NAME.processes" ]; then
        living > "$W/$APP_NAME.alive"
        echo "$SLIPWAY_IDEMPOTENCY_KEY" >> "$W/$APP_NAME.starts"
        while [ -e "$W/$APP_NAME.held" ]; do sleep 0.05; done
        exit 0
      fi
      echo "$SLIPWAY_IDEMPOTENCY_KEY" >> "$W/$APP_NAME.starts"
      printf '\\377\\376%%s\\200' "$(cat)" > "$TMPDIR/bytes"
      sleep 600 & a=$!
      sh -c 'sleep 600 & wait' & b=$!
      setsid sleep 600 & c=$!
      (setsid sh -c 'echo $$ > "'"$W/$APP_NAME"'.forked"; exec sleep 600' < /dev/null > /dev/null 2>&1 &)
      until [ -s "$W/$APP_NAME.forked" ]; do sleep 0.05; done
      for pid in $$ $a $b $c $(cat "$W/$APP_NAME.forked"); do
        echo "$pid $(started $pid)" >> "$W/$APP_NAME.new"
      done
      mv "$W/$APP_NAME.new" "$W/$APP_NAME.processes"
      wait
      """;

  private final Path directory;

  StepProcesses(Path directory) throws IOException {
    this.directory = directory;
    Path provider = Files.createDirectories(directory.resolve("provider"));
    Files.writeString(
        provider.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: trees, version: 1.0.0}
        capabilities:
          resourceTypeCapabilities:
            - {type: tree, operations: {create: {workflow: grow}}}
        workflows:
          - {name: grow, file: grow.yaml}
        """);
    Files.writeString(
        provider.resolve("grow.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: grow}
        steps:
          - name: tree
            type: shell
            config:
              stdin: '{{ .parameters.app_name }}%s'
              script: |
        """
                .formatted(PRIVATE)
            + SCRIPT.formatted(directory).indent(8));
  }

  Path config() throws IOException {
    return Files.writeString(
        directory.resolve("admin-config.yaml"),
        """
        providers:
          - {source: filesystem, path: ./provider}
        engine: {lease: %ds, pollInterval: 1s}
        """
            .formatted(LEASE.toSeconds()));
  }

  /** The repeated step goes on until it is let go. */
  void hold(String application) throws IOException {
    Files.createFile(directory.resolve(application + ".held"));
  }

  void letGo(String application) throws IOException {
    Files.delete(directory.resolve(application + ".held"));
  }

  /** Whether the whole tree stands. */
  boolean stands(String application) {
    return Files.exists(directory.resolve(application + ".processes"));
  }

  /** The keys with which the step was started, in order. */
  List<String> starts(String application) {
    return lines(application + ".starts");
  }

  /** Who of the first attempt was alive when the second began; fails when it has not begun. */
  List<String> aliveAtTheRepeat(String application) {
    return lines(application + ".alive");
  }

  /** Processes of the first attempt that are alive now. */
  List<String> aliveNow(String application) {
    return lines(application + ".processes").stream()
        .filter(line -> lives(line.split(" ")))
        .toList();
  }

  private static boolean lives(String[] process) {
    try {
      String stat = Files.readString(Path.of("/proc", process[0], "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return !"ZX".contains(fields[0]) && fields[19].equals(process[1]);
    } catch (IOException e) {
      return false;
    }
  }

  private List<String> lines(String name) {
    try {
      return Files.readAllLines(directory.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Files with what was rendered, among all that a server keeps and has put aside. */
  static List<Path> privateFiles(Replica replica, String application) {
    List<Path> found = new ArrayList<>();
    try {
      for (Path place : List.of(replica.data(), replica.temporary())) {
        Files.walkFileTree(place, new Search(application + PRIVATE, found));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /** Looks for plain letters in the bytes of every file; what goes away meanwhile is not there. */
  private static final class Search extends SimpleFileVisitor<Path> {
    private final String wanted;
    private final List<Path> found;

    Search(String wanted, List<Path> found) {
      this.wanted = wanted;
      this.found = found;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      try {
        if (attributes.isRegularFile()
            && new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(wanted)) {
          found.add(file);
        }
      } catch (NoSuchFileException e) {
        // gone
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
        throws IOException {
      return e == null ? FileVisitResult.CONTINUE : visitFileFailed(directory, e);
    }
  }
}
