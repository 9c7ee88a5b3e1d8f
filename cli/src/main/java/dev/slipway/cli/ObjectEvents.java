package dev.slipway.cli;

import dev.slipway.cli.kinds.InvolvedObject;
import dev.slipway.cli.kinds.Kind;
import dev.slipway.cli.kinds.Kind.Operation;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** The last events about one object, of the types and in the stream that its kind's row names. */
record ObjectEvents(Api api) {
  /** What the server sends, as a comment, when everything that was stored has been sent. */
  private static final String REPLAYED = ": replayed";

  private static final Duration LONGEST = Duration.ofSeconds(10);

  /**
   * What was found.
   *
   * @param whole false when the log was too long to be read to its end
   */
  record Last(List<Map<String, Object>> events, boolean whole) {}

  /** Reads the stored events in order and keeps the last ones. */
  Last of(Kind kind, Map<String, Object> object, int most) throws InterruptedException {
    InvolvedObject involved = new InvolvedObject(kind, object);
    ArrayDeque<Map<String, Object>> kept = new ArrayDeque<>();
    AtomicBoolean whole = new AtomicBoolean();
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                api.stream(
                    kind.route(Operation.EVENTS).orElseThrow().expand(object),
                    Map.of("after", 0),
                    Map.of("Accept", "text/event-stream")),
                StandardCharsets.UTF_8));
    Thread reader =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    whole.set(read(lines, kind, involved, kept, most));
                  } catch (IOException _) {
                    whole.set(false); // closed below, or by the server
                  }
                });
    try {
      reader.join(LONGEST);
    } finally {
      close(lines);
    }
    reader.join();
    return new Last(List.copyOf(kept), whole.get());
  }

  private static boolean read(
      BufferedReader lines,
      Kind kind,
      InvolvedObject involved,
      ArrayDeque<Map<String, Object>> kept,
      int most)
      throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.equals(REPLAYED)) {
        return true;
      }
      if (line.startsWith("data:")) {
        Map<String, Object> event = Json.readMap(line.substring(5).strip());
        if (kind.events().includes(String.valueOf(event.get("type"))) && involved.in(event)) {
          kept.addLast(event);
          if (kept.size() > most) {
            kept.removeFirst();
          }
        }
      }
    }
    return false;
  }

  private static void close(BufferedReader lines) {
    try {
      lines.close();
    } catch (IOException _) {
      // nothing more is read from it
    }
  }

  /** When, what, by which part of the server, and what else the event says. */
  static Table table(Kind kind, Map<String, Object> object) {
    return new Table()
        .column("AGE", e -> Since.age(e.get("timestamp")))
        .column("TYPE", "type")
        .column("FROM", "source")
        .column("WHAT", e -> what(e, kind, object));
  }

  /** Plain values but ids; but for its state, what the object says itself is left out. */
  private static String what(Map<String, Object> event, Kind kind, Map<String, Object> object) {
    String state = kind.states() == null ? "" : kind.states().field();
    List<String> parts = new ArrayList<>();
    Values.map(event.get("data"))
        .forEach(
            (name, value) -> {
              boolean plain = value instanceof String || value instanceof Number;
              boolean known =
                  !name.equals(state) && value != null && value.equals(object.get(name));
              if (plain && !known && !name.endsWith("Id") && !"".equals(value)) {
                parts.add(name + "=" + value);
              }
            });
    return parts.isEmpty() ? "-" : String.join(" ", parts);
  }
}
