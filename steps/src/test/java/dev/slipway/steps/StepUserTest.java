package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.workflow.RenderedScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server that runs as root starts programs as another user; any other server reports that it
 * cannot.
 */
class StepUserTest {
  private static final String USER = "61234:61235";

  @TempDir Path data;
  private final Lines log = new Lines();

  private Result run(String user, String script) throws InterruptedException {
    ShellExecutor executor =
        new ShellExecutor(
            data,
            ProgramPath.ofThisProcess(),
            () -> ProcessLimits.DEFAULT.withUser(user),
            InstantSource.system());
    StepCall call = Calls.of("shell", Map.of("script", new RenderedScript(script, Map.of())), log);
    return executor.execute(call);
  }

  private static boolean root() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
  }

  @Test
  void programs_cannot_read_what_only_the_server_may() throws Exception {
    Files.createFile(
        data.resolve("secret.key"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(data.resolve("secret.key"), "geheim");
    Result result =
        run(
            USER,
            """
            echo mine > file; echo lasting > "$SLIPWAY_PROVIDER_DATA/kept"; touch "$TMPDIR/x"
            cat "$SLIPWAY_PROVIDER_DATA/../../secret.key" && echo OUTPUT_read=yes
            ls "$SLIPWAY_PROVIDER_DATA/../.." && echo OUTPUT_listed=yes
            echo "uid=$(id -u):$(id -g):$(id -G)" >> "$SLIPWAY_OUTPUT"
            """);
    if (root()) {
      assertThat(result).as("%s", log.all()).isInstanceOf(Result.Succeeded.class);
      assertThat(((Result.Succeeded) result).outputs())
          .containsEntry("uid", "61234:61235:61235")
          .doesNotContainKeys("read", "listed");
      assertThat(log.all()).noneMatch(line -> line.contains("geheim"));
      assertThat(Files.getPosixFilePermissions(data))
          .isEqualTo(PosixFilePermissions.fromString("rwx--x---"));
    } else {
      assertThat(((Result.Failed) result).error().message())
          .isEqualTo(
              "engine.limits.user: only a server that runs as root can start programs as another"
                  + " user");
    }
    assertThat(data.resolve("work")).isEmptyDirectory();
  }

  @Test
  void what_it_left_is_found_and_ended_by_the_server() throws Exception {
    Result result = run(USER, "setsid sleep 300 & echo OUTPUT_pid=$!");
    if (result instanceof Result.Succeeded done) {
      String pid = String.valueOf(done.outputs().get("pid"));
      assertThat(runs(pid)).isFalse();
    } else {
      assertThat(root()).isFalse();
    }
  }

  /** A process that has ended stays in the table until its parent has waited for it. */
  private static boolean runs(String pid) {
    try {
      return !Files.readString(Path.of("/proc", pid, "stat")).contains(") Z ");
    } catch (IOException e) {
      return false;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, the user must not be root",
    "no-such-user, this machine has no user 'no-such-user'"
  })
  void a_user_that_cannot_be_used_starts_nothing(String user, String reason) throws Exception {
    Result.Failed failed = (Result.Failed) run(user, "touch ran");
    assertThat(failed.error().message())
        .isEqualTo(
            "engine.limits.user: "
                + (root()
                    ? reason
                    : "only a server that runs as root can start programs as another user"));
  }
}
