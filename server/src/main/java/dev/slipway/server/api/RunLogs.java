package dev.slipway.server.api;

import dev.slipway.engine.value.Json;
import dev.slipway.postgres.runs.PostgresStepLogs;
import dev.slipway.postgres.runs.PostgresStepLogs.Cursor;
import dev.slipway.server.http.Answer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;

/** The logs of steps, as they are written. */
public final class RunLogs implements AutoCloseable {
  private static final int BATCH = 50;
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final PostgresStepLogs logs;
  private final BiPredicate<UUID, String> ended;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** {@code ended} tells whether a step of a run will say no more. */
  public RunLogs(PostgresStepLogs logs, BiPredicate<UUID, String> ended) {
    this.logs = logs;
    this.ended = ended;
  }

  /** How long to go on. */
  enum Until {
    NOW,
    STEP_ENDED
  }

  /** What a line is. */
  enum Form {
    JSON_LINES("application/x-ndjson"),
    TEXT("text/plain");

    private final String contentType;

    Form(String contentType) {
      this.contentType = contentType;
    }
  }

  Answer answer(UUID run, String step, Until until, Form form) {
    return Answer.stream(form.contentType, out -> write(run, step, until, form, out));
  }

  private void write(UUID run, String step, Until until, Form form, OutputStream out)
      throws IOException, InterruptedException {
    Cursor cursor = Cursor.START;
    while (true) {
      // Asked before reading: what is said before the end is then read for certain.
      boolean last = until == Until.NOW || ended.test(run, step);
      List<PostgresStepLogs.Page> chunks = logs.read(run, step, cursor, BATCH);
      for (PostgresStepLogs.Page chunk : chunks) {
        out.write(text(chunk.lines(), form).getBytes(StandardCharsets.UTF_8));
        cursor = chunk.cursor();
      }
      out.flush();
      if (chunks.size() == BATCH) {
        continue;
      }
      if (last || closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    }
  }

  private static String text(String lines, Form form) {
    if (form == Form.JSON_LINES) {
      return lines.endsWith("\n") ? lines : lines + "\n";
    }
    StringBuilder out = new StringBuilder();
    for (String line : lines.split("\n")) {
      if (!line.isEmpty()) {
        out.append(Json.readMap(line).get("m")).append('\n');
      }
    }
    return out.toString();
  }

  /** Ends all that are being followed. */
  @Override
  public void close() {
    closed.countDown();
  }
}
