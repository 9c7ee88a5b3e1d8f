package dev.slipway.steps.job;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a pod's shell reads: the script that all Jobs share, and how it starts the program. */
final class JobShell {
  static final String INPUT = "SLIPWAY_JOB_INPUT";
  static final String WORK = "SLIPWAY_JOB_WORK";
  static final String PROVIDER = "SLIPWAY_JOB_PROVIDER";
  static final String PAD = "pad";

  private static final String RUN = "run";
  private static final String START = "start";
  private static final String RESULT = "result";
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private JobShell() {}

  /** The keys that every Job's Secret has. */
  static List<String> fixed() {
    return List.of(RUN, START, RESULT, PAD);
  }

  /** The texts of them, but for the pad. */
  static Map<String, String> data(JobProgram program) {
    Map<String, String> data = new LinkedHashMap<>();
    data.put(RUN, run());
    data.put(START, start(program));
    data.put(RESULT, program.resultFile());
    return data;
  }

  private static String start(JobProgram program) {
    StringBuilder text = new StringBuilder();
    program
        .environment()
        .forEach(
            (name, value) -> {
              if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                    "'" + name + "' is no name of a variable that the shell of a Job can set");
              }
              text.append("export ").append(name).append('=').append(word(value)).append('\n');
            });
    text.append("cd ").append(word(program.directory())).append(" || exit 126\n");
    return text.append("exec ")
        .append(program.command().stream().map(JobShell::word).collect(Collectors.joining(" ")))
        .append('\n')
        .toString();
  }

  /** One word of the shell. Paths of the container are where the pod says that they are. */
  private static String word(String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "a value has a NUL character, which no program can be given");
    }
    String quoted = "'" + text.replace("'", "'\\''") + "'";
    return quoted
        .replace(JobProgram.WORK, "'\"$" + WORK + "\"'")
        .replace(JobProgram.PROVIDER, "'\"$" + PROVIDER + "\"'");
  }

  private static String run() {
    try (InputStream in = JobShell.class.getResourceAsStream("run.sh")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
