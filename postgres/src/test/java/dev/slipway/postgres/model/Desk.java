package dev.slipway.postgres.model;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Where steps ask people, in memory; decisions are signals to the run. */
final class Desk {
  private static final int SECONDS = 120;

  /** What was said. */
  enum Said {
    PENDING,
    GRANTED,
    REJECTED,
    EXPIRED
  }

  /** What was said so far, and when it is too late. */
  record Answer(Said said, Instant expires) {}

  private record Question(UUID run, String step) {}

  private final Map<Question, Answer> answers = new LinkedHashMap<>();

  Answer ask(UUID run, String step, Instant now) {
    return answers.compute(
        new Question(run, step),
        (question, known) -> {
          if (known == null) {
            return new Answer(Said.PENDING, now.plusSeconds(SECONDS));
          }
          boolean late = known.said() == Said.PENDING && !known.expires().isAfter(now);
          return late ? new Answer(Said.EXPIRED, known.expires()) : known;
        });
  }

  void withdraw(UUID run, String step) {
    answers.computeIfPresent(
        new Question(run, step),
        (question, known) ->
            known.said() == Said.PENDING ? new Answer(Said.EXPIRED, known.expires()) : known);
  }

  /** Decides whatever is asked now, and tells the runs. */
  void decide(Said said, Instant now, MemoryRuns runs) {
    for (Map.Entry<Question, Answer> open : answers.entrySet()) {
      Answer answer = open.getValue();
      if (answer.said() == Said.PENDING && answer.expires().isAfter(now)) {
        open.setValue(new Answer(said, answer.expires()));
        runs.signal(open.getKey().run(), now);
      }
    }
  }
}
