package dev.slipway.steps.job;

import dev.slipway.engine.execute.StepCall;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a step remembers of its Job between calls. */
final class JobMemory {
  private static final String UID = "job";
  private static final String NAMESPACE = "namespace";
  private static final String TRIES = "tries";
  private static final Duration SHORTEST = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofSeconds(15);

  private JobMemory() {}

  /** The Job that was created for it; nothing has begun before this is stored. */
  static Optional<String> uid(StepCall call) {
    return text(call, UID);
  }

  static Optional<String> namespace(StepCall call) {
    return text(call, NAMESPACE);
  }

  private static Optional<String> text(StepCall call, String key) {
    return Optional.ofNullable(call.memory().get(key)).map(String::valueOf);
  }

  static Map<String, Object> of(String uid, String namespace) {
    return Map.of(UID, uid, NAMESPACE, namespace);
  }

  /** After one more try that did not succeed. */
  static Map<String, Object> triedAgain(StepCall call) {
    Map<String, Object> memory = new HashMap<>(call.memory());
    memory.put(TRIES, tries(call) + 1);
    return memory;
  }

  private static long tries(StepCall call) {
    return call.memory().get(TRIES) instanceof Number n ? n.longValue() : 0;
  }

  /** How long to wait after that many tries. */
  static Duration pause(StepCall call) {
    Duration pause = SHORTEST.multipliedBy(1L << Math.min(tries(call), 5));
    return pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
  }
}
