package dev.slipway.dist;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The installed layout that the build has just made, used as a person would: by its launcher. */
final class Layout {
  static final Path HOME = Path.of("target/slipway").toAbsolutePath();

  /** What a command printed and how it ended. */
  record Result(int exitCode, String out, String err) {}

  private final Map<String, String> environment = new TreeMap<>();

  /** With user directories of its own and a port that is free. */
  Layout(Path directory) throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    environment.put("XDG_DATA_HOME", directory.resolve("data").toString());
    environment.put("XDG_CONFIG_HOME", directory.resolve("config").toString());
    environment.put("SLIPWAY_LISTEN", "127.0.0.1:" + port);
    environment.put("HOME", directory.toString());
    environment.put("PATH", System.getenv("PATH"));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
  }

  Layout with(String name, String value) {
    environment.put(name, value);
    return this;
  }

  String address() {
    return environment.get("SLIPWAY_LISTEN");
  }

  Result slipway(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(HOME.resolve("bin/slipway").toString()));
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile("slipway", ".out");
    Path err = Files.createTempFile("slipway", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    if (!process.waitFor(3, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError(
          "slipway " + String.join(" ", arguments) + " hangs: " + Files.readString(err));
    }
    Result result =
        new Result(
            process.exitValue(),
            Files.readString(out, StandardCharsets.UTF_8),
            Files.readString(err, StandardCharsets.UTF_8));
    Files.delete(out);
    Files.delete(err);
    return result;
  }
}
