package dev.slipway.promises;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A provider whose only step starts a tree of processes, children that leave its session among
 * them, and never ends. Repeated, it first writes down which processes of the former time are still
 * alive, and then ends at once.
 */
final class StepProcesses {
  /** A value that is rendered into the script. */
  static final String PRIVATE = "rendered-into-the-script-4711";

  private static final String SCRIPT =
      """
      # %2$s
      W='%1$s'
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
        exit 0
      fi
      echo "$SLIPWAY_IDEMPOTENCY_KEY" >> "$W/$APP_NAME.starts"
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
              script: |
        """
            + SCRIPT.formatted(directory, PRIVATE).indent(8));
  }

  Path config() throws IOException {
    return Files.writeString(
        directory.resolve("admin-config.yaml"),
        """
        providers:
          - {source: filesystem, path: ./provider}
        engine: {lease: 5s, pollInterval: 1s}
        """);
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

  /** Files below a server's data with what was rendered. */
  static List<Path> privateFiles(Replica replica) {
    try (Stream<Path> all = Files.walk(replica.data().resolve("work"))) {
      return all.filter(Files::isRegularFile).filter(StepProcesses::holdsPrivate).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean holdsPrivate(Path file) {
    try {
      return Files.readString(file).contains(PRIVATE);
    } catch (IOException e) {
      return false; // gone meanwhile
    }
  }
}
