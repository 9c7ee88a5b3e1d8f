package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A provider whose interpreter is installed only after the server has started. */
class MissingProgramTest {
  private Running running;
  private String dora;
  private Path tool;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    tool = directory.resolve("tool");
    running = new Running(Optional.of(NotesProvider.write(directory, ", interpreter: " + tool)));
    dora = running.member("dora", "red", "developer");
  }

  @AfterEach
  void stop() {
    running.close();
  }

  private Running.Reply ask(String name) {
    return running
        .as(dora)
        .post(
            "/api/resources",
            "{\"application\":\"%s\",\"name\":\"note\",\"type\":\"note\"}".formatted(name));
  }

  @Test
  void what_lacks_a_program_is_refused_until_the_program_is_there() throws IOException {
    assertThat(ask("memo").expect(422).body())
        .contains("step 'write' needs '" + tool + "'", "notes/make.yaml:5:5");
    assertThat(running.as(dora).post("/api/golden-paths/tell/execute", "{}").expect(409).body())
        .contains("missing-program", "step 'write' needs '" + tool + "'");
    assertThat(running.asAdmin().get("/api/admin/providers").expect(200).body())
        .contains("partly-in-service", "is not a program of this server");

    Files.copy(Path.of("/bin/sh").toRealPath(), tool, StandardCopyOption.COPY_ATTRIBUTES);
    running.asAdmin().post("/api/admin/reload", "").expect(200);

    ask("memo").expect(201);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(running.as(dora).get("/api/applications/memo").expect(200).json())
                    .containsEntry("state", "active"));
    running.as(dora).post("/api/golden-paths/tell/execute", "{}").expect(202);
  }
}
