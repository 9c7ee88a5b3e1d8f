package dev.slipway.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in {@code deploy/} fits the layout that is built and the settings that there are. */
class DeployFilesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path DEPLOY = ROOT.resolve("deploy");
  private static final String INSTALLED = "/opt/slipway";

  /** As systemd.unit, systemd.service, systemd.exec and systemd.kill have them. */
  private static final Map<String, Set<String>> KNOWN =
      Map.of(
          "[Unit]",
          Set.of("Description", "Documentation", "Wants", "Requires", "After", "Before"),
          "[Service]",
          Set.of(
              "Type",
              "User",
              "Group",
              "EnvironmentFile",
              "Environment",
              "ExecStart",
              "Restart",
              "RestartSec",
              "TimeoutStopSec",
              "KillMode",
              "OOMPolicy",
              "StateDirectory",
              "StateDirectoryMode",
              "UMask",
              "NoNewPrivileges",
              "PrivateTmp",
              "ProtectSystem",
              "ProtectHome",
              "ProtectKernelTunables",
              "ProtectControlGroups",
              "RestrictSUIDSGID",
              "ProtectProc",
              "LimitNOFILE"),
          "[Install]",
          Set.of("WantedBy", "Alias"));

  @TempDir Path directory;

  @Test
  void the_unit_starts_what_is_there() throws Exception {
    String unit = Files.readString(DEPLOY.resolve("systemd/slipway.service"));
    List<String> start = List.of(value(unit, "ExecStart").split(" "));
    assertThat(inLayout(start.getFirst())).isExecutable();
    assertThat(start.subList(1, start.size())).containsExactly("up");
    assertThat(unit).contains("StateDirectory=slipway", "SLIPWAY_DATA=/var/lib/slipway");
    assertThat(Integer.parseInt(value(unit, "TimeoutStopSec")))
        .as("longer than the server waits for its steps")
        .isGreaterThan(60);
    assertThat(unknownSettings(unit)).isEmpty();
    assertThat(mistakes(unit)).isEmpty();
    assertThat(mistakes(unit.replace("User=", "Usr=").replace("[Install]", "Install")))
        .hasSizeGreaterThan(1);
    assertThat(complaints(unit)).isEmpty();
  }

  @Test
  void the_image_is_made_of_what_is_there() throws Exception {
    String file = Files.readString(DEPLOY.resolve("container/Containerfile"));
    Matcher copies = Pattern.compile("(?m)^COPY (\\S+) (\\S+)$").matcher(file);
    assertThat(copies.find()).isTrue();
    assertThat(ROOT.resolve(copies.group(1))).isEqualTo(Layout.HOME);
    assertThat(copies.group(2)).isEqualTo(INSTALLED);
    assertThat(copies.find()).as("another thing that is copied").isFalse();
    // Java as the first process would leave what steps orphan unburied for ever.
    Matcher entry =
        Pattern.compile("(?m)^ENTRYPOINT \\[\"/usr/bin/tini\", \"--\", \"(.+)\"]$").matcher(file);
    assertThat(entry.find()).isTrue();
    assertThat(file).containsPattern("apt-get install .* tini");
    assertThat(inLayout(entry.group(1))).isExecutable();
    assertThat(file).containsPattern("(?m)^USER slipway$").contains("CMD [\"up\"]");
    assertThat(file).contains("SLIPWAY_LISTEN=0.0.0.0:8081").containsPattern("(?m)^EXPOSE 8081$");
    assertThat(unknownSettings(file)).isEmpty();
    String compose = Files.readString(DEPLOY.resolve("container/compose.yaml"));
    assertThat(unknownSettings(compose)).isEmpty();
    assertThat(compose).contains("stop_grace_period: 90s");
    Matcher user = Pattern.compile("--uid (\\d+)").matcher(file);
    assertThat(user.find()).isTrue();
    assertThat(compose)
        .as("whose key it is, inside and outside of a user namespace")
        .contains("podman unshare chown " + user.group(1), "sudo chown " + user.group(1));
  }

  @Test
  void the_key_that_compose_takes_is_never_committed() throws Exception {
    assertThat(Files.readString(DEPLOY.resolve("container/compose.yaml")))
        .contains("./secret.key:/var/lib/slipway/secret.key");
    assertThat(Files.readAllLines(ROOT.resolve(".gitignore"))).contains("secret.key");
  }

  @Test
  void a_user_who_may_not_write_to_the_layout_runs_it_in_an_empty_directory() throws Exception {
    Map<String, FileTime> before = tree();
    Path data = Files.createDirectory(directory.resolve("data"));
    Path empty = Files.createDirectory(directory.resolve("empty"));
    Path out = directory.resolve("out");
    Process server = server(data, empty, out);
    try {
      Awaitility.await()
          .atMost(java.time.Duration.ofSeconds(120))
          .until(() -> Files.readString(out).contains("is ready at") || !server.isAlive());
      assertThat(Files.readString(out)).contains("is ready at");
    } finally {
      server.destroy();
      assertThat(server.waitFor(90, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(empty).isEmptyDirectory();
    assertThat(tree()).isEqualTo(before);
  }

  /** Root may write everywhere, so a test that runs as root starts the server as another user. */
  private Process server(Path data, Path empty, Path out) throws Exception {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      run("chown", "-R", "nobody", directory.toString());
      run("chmod", "a+rx", directory.toString());
      command.addAll(List.of("setpriv", "--reuid=nobody", "--regid=65534", "--clear-groups"));
    }
    command.addAll(List.of(Layout.HOME.resolve("bin/slipway").toString(), "up"));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(empty.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().clear();
    builder
        .environment()
        .putAll(
            Map.of(
                "PATH", System.getenv("PATH"),
                "HOME", data.toString(),
                "JAVA_HOME", System.getProperty("java.home"),
                "SLIPWAY_DATA", data.toString(),
                "SLIPWAY_LISTEN", "127.0.0.1:0"));
    return builder.start();
  }

  private static Map<String, FileTime> tree() throws IOException {
    Map<String, FileTime> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(Layout.HOME)) {
      all.forEach(f -> files.put(f.toString(), modified(f)));
    }
    return files;
  }

  private static FileTime modified(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path inLayout(String installed) {
    assertThat(installed).startsWith(INSTALLED + "/");
    return Layout.HOME.resolve(installed.substring(INSTALLED.length() + 1));
  }

  private static String value(String unit, String key) {
    Matcher matcher = Pattern.compile("(?m)^" + key + "=(.*)$").matcher(unit);
    assertThat(matcher.find()).as(key).isTrue();
    return matcher.group(1);
  }

  /** Variables that neither the server nor its launcher asks for. */
  private static Set<String> unknownSettings(String text) throws IOException {
    Set<String> unknown = names(text);
    unknown.removeAll(names(Files.readString(Layout.HOME.resolve("bin/slipway"))));
    try (Stream<Path> sources = Files.walk(ROOT.resolve("server/src/main/java"))) {
      for (Path source : sources.filter(f -> f.toString().endsWith(".java")).toList()) {
        unknown.removeAll(names(Files.readString(source)));
      }
    }
    return unknown;
  }

  private static Set<String> names(String text) {
    Set<String> names = new TreeSet<>();
    Pattern.compile("SLIPWAY_[A-Z_]+").matcher(text).results().forEach(m -> names.add(m.group()));
    return names;
  }

  /** Lines that are nothing, and keys that their section does not know; needs no systemd. */
  private static List<String> mistakes(String unit) {
    List<String> wrong = new ArrayList<>();
    String section = "";
    for (String line : unit.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).toList()) {
      if (KNOWN.containsKey(line)) {
        section = line;
      } else if (!KNOWN.getOrDefault(section, Set.of()).contains(line.replaceFirst("=.*", ""))
          || !line.matches("[A-Za-z]+=.+")) {
        wrong.add(section + " " + line);
      }
    }
    return wrong;
  }

  /** What systemd says about the unit, where there is a systemd to ask; elsewhere see mistakes. */
  private String complaints(String unit) throws Exception {
    if (!Files.isExecutable(Path.of("/usr/bin/systemd-analyze"))) {
      return "";
    }
    Path here =
        Files.writeString(
            directory.resolve("slipway.service"), unit.replace(INSTALLED, Layout.HOME.toString()));
    return run("systemd-analyze", "verify", here.toString());
  }

  private String run(String... command) throws IOException, InterruptedException {
    Path said = directory.resolve("said");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return Files.readString(said);
  }
}
