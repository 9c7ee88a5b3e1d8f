package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The guide for authors of providers, followed by the letter: every block of commands in order, in
 * one empty directory. It takes longer than other tests because it starts servers as a reader does.
 */
class GuideTest {
  private static final Pattern BLOCK =
      Pattern.compile("^```bash( server)?\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  @TempDir Path directory;
  private final List<Process> servers = new ArrayList<>();
  private String listen;

  @AfterEach
  void stop() throws InterruptedException {
    for (Process server : servers) {
      server.descendants().forEach(ProcessHandle::destroy);
      server.destroy();
      server.waitFor(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void the_guide_can_be_followed_from_nothing_to_a_published_version() throws Exception {
    prepare();
    StringBuilder all = new StringBuilder();
    Matcher block = BLOCK.matcher(Files.readString(Path.of("../docs/providers.md")));
    while (block.find()) {
      if (block.group(1) == null) {
        all.append(run(block.group(2)));
      } else {
        serve(block.group(2));
      }
    }
    assertThat(all.toString())
        .contains(
            "cache-team: valid",
            "6 passed",
            "create-cache",
            "another team tries: a record that names the first team's thing",
            "1 passed, 1 failed",
            "+ sessions (cache)  create by cache-team/create-cache",
            "my-app is active",
            "size: small",
            "2 passed",
            "~ sessions (cache)",
            "sessions is active, as it was left",
            "1.0.0",
            "@v1.0.0",
            "my-app is destroyed");
    assertThat(directory.resolve("here/test-results.xml")).exists();
  }

  /** A command {@code slipway} and a port that is free. */
  private void prepare() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      listen = "127.0.0.1:" + socket.getLocalPort();
    }
    Files.createDirectories(directory.resolve("here"));
    Path command = Files.createDirectories(directory.resolve("bin")).resolve("slipway");
    Files.writeString(
        command,
        """
        #!/bin/bash
        main=dev.slipway.cli.Main
        if [ "$1" = up ]; then shift; main=dev.slipway.server.Main; fi
        exec '%s/bin/java' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --enable-native-access=ALL-UNNAMED -cp '%s' $main "$@"
        """
            .formatted(System.getProperty("java.home"), System.getProperty("java.class.path")));
    assertThat(command.toFile().setExecutable(true)).isTrue();
  }

  private ProcessBuilder bash(String commands) {
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-ec", commands)
            .directory(directory.resolve("here").toFile())
            .redirectErrorStream(true);
    builder.environment().put("PATH", directory.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().put("HOME", directory.toString());
    builder.environment().put("XDG_DATA_HOME", directory.resolve("data").toString());
    builder.environment().put("SLIPWAY_LISTEN", listen);
    return builder;
  }

  private String run(String commands) throws Exception {
    Path log = Files.createTempFile(directory, "block", ".log");
    Process process = bash(commands).redirectOutput(log.toFile()).start();
    process.getOutputStream().close();
    boolean ended = process.waitFor(4, TimeUnit.MINUTES);
    String said = Files.readString(log);
    assertThat(ended && process.exitValue() == 0).as(commands + "\n" + said).isTrue();
    return said;
  }

  private void serve(String command) throws IOException {
    Path log = directory.resolve("server.log");
    servers.add(bash("exec " + command).redirectOutput(log.toFile()).start());
    Awaitility.await()
        .atMost(java.time.Duration.ofMinutes(2))
        .until(() -> Files.readString(log).contains("Slipway is ready at"));
  }
}
