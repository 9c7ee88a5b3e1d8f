package dev.slipway.steps.job;

import dev.slipway.engine.execute.StepCall;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** How often a step has tried to create its Job. */
record JobTries(StepCall call) {
  private static final String TRIES = "tries";
  private static final Duration SHORTEST = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofSeconds(15);

  /** The memory of the step after one more try. */
  Map<String, Object> oneMore() {
    Map<String, Object> memory = new HashMap<>(call.memory());
    memory.put(TRIES, count() + 1);
    return memory;
  }

  private long count() {
    return call.memory().get(TRIES) instanceof Number n ? n.longValue() : 0;
  }

  /** How long to wait after them. */
  Duration pause() {
    Duration pause = SHORTEST.multipliedBy(1L << Math.min(count(), 5));
    return pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
  }
}
