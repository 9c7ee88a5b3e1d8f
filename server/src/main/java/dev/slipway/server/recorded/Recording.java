package dev.slipway.server.recorded;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.RenderedManifest;
import dev.slipway.engine.workflow.RenderedScript;
import dev.slipway.engine.workflow.RenderedSql;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file with the results of steps, {@code {"steps": {NAME: [{outputs|failure|stdout}, ...]}}}, one
 * for each attempt, the last one for all further attempts. It is read on each step, so a test may
 * change it at any time. The inputs of steps are logged beside it, one JSON object a line, secrets
 * masked.
 */
public final class Recording {
  private final Path file;
  private final Path calls;

  public Recording(Path file) {
    this.file = file;
    this.calls = file.resolveSibling(file.getFileName() + ".calls");
  }

  /** Wraps the executors, which then execute only steps without a recorded result. */
  public List<StepExecutor> around(Collection<StepExecutor> executors) {
    return executors.stream()
        .map(executor -> (StepExecutor) new RecordedExecutor(executor, this))
        .toList();
  }

  Optional<Map<String, Object>> answer(StepCall call) {
    Map<String, Object> steps = Values.map(read().getOrDefault("steps", Map.of()));
    if (!(steps.get(call.step().name()) instanceof List<?> answers) || answers.isEmpty()) {
      return Optional.empty();
    }
    int index = Math.min(call.attempt(), answers.size()) - 1;
    return Optional.of(Values.map(answers.get(index)));
  }

  private Map<String, Object> read() {
    try {
      return Files.exists(file) ? Json.readMap(Files.readString(file)) : Map.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized void note(StepCall call) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("run", call.run().toString());
    line.put("step", call.step().name());
    line.put("attempt", (long) call.attempt());
    line.put("config", readable(call.config()));
    line.put("env", call.env());
    try {
      Files.writeString(
          calls,
          call.secrets().mask(Json.write(line)) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable Object readable(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> out = new LinkedHashMap<>();
        map.forEach((k, v) -> out.put(String.valueOf(k), readable(v)));
        yield out;
      }
      case List<?> list -> list.stream().map(Recording::readable).collect(Values.toList());
      case RenderedManifest manifest -> manifest.readable();
      case RenderedScript script -> script.readable();
      case RenderedSql sql -> sql.readable();
      case null, default -> value;
    };
  }
}
