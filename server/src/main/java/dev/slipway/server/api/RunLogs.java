package dev.slipway.server.api;

import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.Json;
import dev.slipway.postgres.runs.FollowedLogs;
import dev.slipway.postgres.runs.PostgresStepLogs;
import dev.slipway.postgres.runs.PostgresStepLogs.Cursor;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.StreamRights;
import dev.slipway.web.StreamSlots;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** The logs of steps, complete or followed live. */
public final class RunLogs implements AutoCloseable {
  /** Limits of concurrent followers, in total and per caller. */
  static final int MOST_FOLLOWED = 400;

  static final int MOST_FOLLOWED_BY_CALLER = 40;

  private static final int BATCH = 50;

  private final PostgresStepLogs logs;
  private final FollowedSteps followed;
  private final StreamSlots slots =
      new StreamSlots("followed logs", MOST_FOLLOWED, MOST_FOLLOWED_BY_CALLER);

  public RunLogs(PostgresStepLogs logs, FollowedLogs progress, Threads threads) {
    this.logs = logs;
    this.followed = new FollowedSteps(progress, threads);
  }

  /** The format of a line. */
  enum Form {
    JSON_LINES("application/x-ndjson"),
    TEXT("text/plain");

    private final String contentType;

    Form(String contentType) {
      this.contentType = contentType;
    }
  }

  /** A log and its format. */
  record Wanted(UUID run, String step, Form form) {
    private FollowedLogs.Step key() {
      return new FollowedLogs.Step(run, step);
    }
  }

  /** The log as stored now. */
  Answer soFar(Wanted wanted) {
    return Answer.stream(wanted.form().contentType, out -> forward(wanted, Cursor.START, out));
  }

  /** The log as stored now, then new lines until the step ends or the caller loses permission. */
  Answer follow(Call call, Wanted wanted, StreamRights rights) {
    slots.take(call);
    return Answer.stream(wanted.form().contentType, out -> follow(wanted, rights, out));
  }

  private void follow(Wanted wanted, StreamRights rights, OutputStream out)
      throws IOException, InterruptedException {
    Cursor cursor = forward(wanted, Cursor.START, out);
    try (FollowedSteps.Reader reader = followed.follow(wanted.key())) {
      FollowedSteps.Seen seen = FollowedSteps.Seen.NOTHING;
      while (seen.state() == FollowedLogs.State.RUNNING && rights.stillHeld()) {
        FollowedSteps.Seen now = reader.await(seen, StreamRights.BETWEEN_CHECKS);
        if (now.changes() == seen.changes()) {
          heartbeat(wanted, out);
        } else {
          // The step had ended before this read, so this read returns the rest of its log.
          cursor = forward(wanted, cursor, out);
        }
        seen = now;
      }
    }
  }

  /** An empty line between objects, which detects a disconnected client while a step is silent. */
  private static void heartbeat(Wanted wanted, OutputStream out) throws IOException {
    if (wanted.form() == Form.JSON_LINES) {
      out.write('\n');
      out.flush();
    }
  }

  private Cursor forward(Wanted wanted, Cursor from, OutputStream out) throws IOException {
    Cursor cursor = from;
    List<PostgresStepLogs.Page> chunks;
    do {
      chunks = logs.read(wanted.run(), wanted.step(), cursor, BATCH);
      for (PostgresStepLogs.Page chunk : chunks) {
        out.write(text(chunk.lines(), wanted.form()).getBytes(StandardCharsets.UTF_8));
        cursor = chunk.cursor();
      }
      out.flush();
    } while (chunks.size() == BATCH);
    return cursor;
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

  /** The number of followed logs. */
  public int open() {
    return slots.open();
  }

  /** Ends all followed logs. */
  @Override
  public void close() {
    followed.close();
  }
}
