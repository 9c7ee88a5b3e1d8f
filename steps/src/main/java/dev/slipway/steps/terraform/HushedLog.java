package dev.slipway.steps.terraform;

import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.value.Values;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A log that masks the sensitive outputs of the module: a plan repeats them in attributes of
 * resources.
 */
record HushedLog(StepLog log, Secrets secrets) implements StepLog {
  static StepLog over(StepLog log, Optional<byte[]> state) {
    List<String> texts = new ArrayList<>();
    state.ifPresent(bytes -> collect(bytes, texts));
    return texts.isEmpty() ? log : new HushedLog(log, Secrets.of(texts));
  }

  private static void collect(byte[] state, List<String> texts) {
    Map<String, Object> read;
    try {
      read = Json.readMap(new String(state, StandardCharsets.UTF_8));
    } catch (RuntimeException e) {
      return; // encrypted by the program itself
    }
    for (Object described : Values.map(read.get("outputs")).values()) {
      Map<String, Object> output = Values.map(described);
      if (Boolean.TRUE.equals(output.get("sensitive"))) {
        Values.mapLeaves(
            output.get("value"),
            leaf -> {
              texts.add(String.valueOf(leaf));
              return leaf;
            });
      }
    }
  }

  @Override
  public void line(Stream stream, String text) {
    log.line(stream, secrets.mask(text));
  }
}
