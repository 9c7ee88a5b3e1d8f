package dev.slipway.cli;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The command line on a real terminal, made by {@code script}, into which a test types. */
final class Pty implements AutoCloseable {
  private final Process process;
  private final StringBuffer seen = new StringBuffer();
  private int read;

  Pty(List<String> arguments, Path home) throws IOException {
    this(List.of(), arguments, home);
  }

  /** With more options for Java. */
  Pty(List<String> options, List<String> arguments, Path home) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add("dev.slipway.cli.Main");
    command.addAll(arguments);
    String line =
        command.stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" "));
    ProcessBuilder builder =
        // A build in the background ignores interrupts; a program on a terminal does not.
        new ProcessBuilder("env", "--default-signal=INT,QUIT", "script", "-qec", line, "/dev/null")
            .redirectErrorStream(true);
    builder.environment().put("TERM", "xterm");
    builder.environment().put("NO_COLOR", "1");
    builder.environment().put("HOME", home.toString());
    this.process = builder.start();
    Thread.ofVirtual().start(this::follow);
  }

  private void follow() {
    byte[] some = new byte[4096];
    try (InputStream in = process.getInputStream()) {
      for (int n = in.read(some); n >= 0; n = in.read(some)) {
        seen.append(new String(some, 0, n, StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      seen.append("\n(the terminal is gone)");
    }
  }

  /** Waits until this is shown, after everything that was waited for before. */
  Pty sees(String text) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () -> {
              int at = seen.indexOf(text, read);
              if (at < 0) {
                throw new AssertionError("'" + text + "' is not in: " + seen.substring(read));
              }
              read = at + text.length();
            });
    return this;
  }

  Pty types(String text) throws IOException {
    OutputStream keyboard = process.getOutputStream();
    keyboard.write(text.getBytes(StandardCharsets.UTF_8));
    keyboard.flush();
    return this;
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("it does not end: " + seen);
    }
    return process.exitValue();
  }

  String all() {
    return seen.toString();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
