package dev.slipway.steps.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the processes of this machine, read from {@code /proc}; empty where there is none.
 */
final class ProcessTable {
  private static final Path PROC = Path.of("/proc");
  private static final Duration FRESH = Duration.ofMillis(150);
  private static final long PAGE = ProcessSignals.pageSize();
  private static final long EVER = 0;

  /** Positions of fields behind the program's name in {@code /proc/PID/stat}. */
  private static final int STATE = 0;

  private static final int PARENT = 1;
  private static final int SESSION = 3;
  private static final int THREADS = 17;
  private static final int START = 19;
  private static final int RESIDENT = 21;

  /** Identifies a process: pids are reused, but not together with the start time. */
  record Id(long pid, long start) {}

  /** The marks in a process's environment; empty when it has none, or they cannot be read. */
  record Marks(String mark, String launch) {
    static final Marks NONE = new Marks("", "");
  }

  /** One process. */
  record Row(Id id, long parent, long session, int threads, long resident, Marks marks) {}

  private static ProcessTable shared = new ProcessTable(List.of());

  private final List<Row> rows;
  private final long at = System.nanoTime();

  private ProcessTable(List<Row> rows) {
    this.rows = rows;
  }

  /** Reads the table. */
  static ProcessTable now() {
    return read(Map.of(), EVER);
  }

  /**
   * Reads the table, with the marks of processes started after {@code since} only. A process that
   * inherits a mark was started after its program, so older environments need not be read.
   */
  static ProcessTable now(long since) {
    return read(Map.of(), since);
  }

  /** The start time of a process; the earliest possible when it is not known. */
  static long startOf(long pid) {
    Row row = row(PROC.resolve(Long.toString(pid)), Map.of(), Long.MAX_VALUE);
    return row == null ? EVER : row.id().start();
  }

  /** Whether that process exists and is no zombie. */
  static boolean there(Id id) {
    Row row = row(PROC.resolve(Long.toString(id.pid())), Map.of(), Long.MAX_VALUE);
    return row != null && row.id().equals(id);
  }

  /**
   * A table that may be slightly old: read once for all watched programs. Marks of processes seen
   * before are not read again.
   */
  static synchronized ProcessTable recent() {
    if (System.nanoTime() - shared.at > FRESH.toNanos() || shared.rows.isEmpty()) {
      Map<Id, Marks> marks = new HashMap<>();
      shared.rows.forEach(row -> marks.put(row.id(), row.marks()));
      shared = read(marks, EVER);
    }
    return shared;
  }

  /**
   * The processes of a program: those of its session, those with the mark of its launch, those
   * {@code known} to belong to it, and their descendants.
   */
  List<Row> belonging(long leader, String launch, Set<Id> known) {
    Set<Long> pids = new HashSet<>();
    List<Row> found = new ArrayList<>();
    List<Row> open = new ArrayList<>(rows);
    boolean more = true;
    while (more) {
      more =
          open.removeIf(
              row -> {
                boolean ours =
                    row.session() == leader
                        || row.marks().launch().equals(launch)
                        || known.contains(row.id())
                        || pids.contains(row.parent());
                if (ours) {
                  pids.add(row.id().pid());
                  found.add(row);
                }
                return ours;
              });
    }
    return found;
  }

  /** The processes that carry the mark. */
  List<Row> marked(String mark) {
    return rows.stream().filter(row -> row.marks().mark().equals(mark)).toList();
  }

  private static ProcessTable read(Map<Id, Marks> marks, long since) {
    List<Row> rows = new ArrayList<>();
    if (Files.isDirectory(PROC)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[0-9]*")) {
        for (Path entry : entries) {
          Row row = row(entry, marks, since);
          if (row != null) {
            rows.add(row);
          }
        }
      } catch (IOException e) {
        return new ProcessTable(List.of());
      }
    }
    return new ProcessTable(rows);
  }

  /** Null for a process that is gone or a zombie. */
  private static @Nullable Row row(Path entry, Map<Id, Marks> marks, long since) {
    try {
      String stat = Files.readString(entry.resolve("stat"), StandardCharsets.ISO_8859_1);
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      if ("ZXx".contains(fields[STATE])) {
        return null;
      }
      long pid = Long.parseLong(entry.getFileName().toString());
      Id id = new Id(pid, Long.parseLong(fields[START]));
      Marks known = id.start() < since ? Marks.NONE : marks.get(id);
      return new Row(
          id,
          Long.parseLong(fields[PARENT]),
          Long.parseLong(fields[SESSION]),
          Integer.parseInt(fields[THREADS]),
          Long.parseLong(fields[RESIDENT]) * PAGE,
          known == null ? marks(entry) : known);
    } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
      return null;
    }
  }

  private static Marks marks(Path entry) {
    try {
      String all = "\0" + Files.readString(entry.resolve("environ"), StandardCharsets.ISO_8859_1);
      return new Marks(value(all, Program.MARK), value(all, Program.LAUNCH));
    } catch (IOException e) {
      return Marks.NONE; // gone, or of another user
    }
  }

  private static String value(String environment, String name) {
    String wanted = "\0" + name + "=";
    int at = environment.indexOf(wanted);
    int end = environment.indexOf('\0', at + 1);
    return at < 0
        ? ""
        : environment.substring(at + wanted.length(), end < 0 ? environment.length() : end);
  }

  /**
   * The proportional share of memory: pages shared by several processes count once in the sum,
   * where the resident size counts them for each.
   */
  static long share(Row row) {
    try {
      for (String line : Files.readAllLines(PROC.resolve(row.id().pid() + "/smaps_rollup"))) {
        if (line.startsWith("Pss:")) {
          return Long.parseLong(line.replaceAll("\\D+", "")) * 1024;
        }
      }
    } catch (IOException | NumberFormatException e) {
      // Gone or unreadable: falls back to the resident size.
    }
    return row.resident();
  }
}
