package dev.slipway.server.api;

import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.Json;
import dev.slipway.postgres.runs.FollowedLogs;
import dev.slipway.postgres.runs.PostgresStepLogs;
import dev.slipway.postgres.runs.PostgresStepLogs.Cursor;
import dev.slipway.server.http.Answer;
import dev.slipway.server.http.Call;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** The logs of steps, as they are written. */
public final class RunLogs implements AutoCloseable {
  /** Followed at the same time, of all callers and of one. */
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

  /** What a line is. */
  enum Form {
    JSON_LINES("application/x-ndjson"),
    TEXT("text/plain");

    private final String contentType;

    Form(String contentType) {
      this.contentType = contentType;
    }
  }

  /** Which log, in which form. */
  record Wanted(UUID run, String step, Form form) {
    private FollowedLogs.Step key() {
      return new FollowedLogs.Step(run, step);
    }
  }

  /** What the step has said so far. */
  Answer soFar(Wanted wanted) {
    return Answer.stream(wanted.form().contentType, out -> forward(wanted, Cursor.START, out));
  }

  /** The same, and what it says until it ends or the caller may no longer read it. */
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
          // The step was seen to have ended before this read, so all of its log is read.
          cursor = forward(wanted, cursor, out);
        }
        seen = now;
      }
    }
  }

  /** An empty line between objects: a reader that has gone is noticed while a step is silent. */
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

  /** How many are being followed. */
  public int open() {
    return slots.open();
  }

  /** How many steps the database is asked for. */
  public int steps() {
    return followed.steps();
  }

  /** Ends all that are being followed. */
  @Override
  public void close() {
    followed.close();
  }
}
