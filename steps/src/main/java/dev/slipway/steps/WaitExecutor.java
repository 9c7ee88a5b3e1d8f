package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.intake.DurationText;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a duration, for a point in time, or for a condition. The timer is stored; no thread
 * waits.
 */
public final class WaitExecutor implements StepExecutor {
  static final StepType TYPE =
      new StepType(
              "wait",
              Set.of(),
              List.of(
                  new Field("duration", Kind.DURATION, Need.OPTIONAL, "how long: 90s, 1h30m"),
                  new Field("until", Kind.TEXT, Need.OPTIONAL, "a moment: 2030-01-31T12:00:00Z"),
                  new Field("condition", Kind.CONDITION, Need.OPTIONAL, "what must become true"),
                  new Field("interval", Kind.DURATION, Need.OPTIONAL, "between two looks; 10s")),
              1,
              StepType.Code.NONE)
          .exactlyOne("duration", "until", "condition")
          .documented(
              "Waits for a time or a condition. No thread is held meanwhile.",
              "The timer is stored: a restart neither lengthens nor repeats the wait. A condition"
                  + " that does not come true fails at the step's timeout.")
          .giving("waited_ms", "how long it waited");

  private static final Duration USUAL_INTERVAL = Duration.ofSeconds(10);
  private static final String SINCE = "since";

  private final InstantSource clock;

  public WaitExecutor(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public StepType type() {
    return TYPE;
  }

  @Override
  public Result execute(StepCall call) {
    Map<String, Object> config = call.config();
    long ways = Stream.of("duration", "until", "condition").filter(config::containsKey).count();
    if (ways != 1) {
      return invalid("one of 'duration', 'until' and 'condition' must be written", null);
    }
    Instant now = clock.instant();
    Instant since = call.memory().get(SINCE) instanceof String text ? Instant.parse(text) : now;
    if (config.containsKey("condition")) {
      return condition(config, since, now);
    }
    try {
      return timer(due(config, since), since, now);
    } catch (DateTimeParseException e) {
      return invalid(
          "'until' is not a moment: " + call.secrets().mask(e.getParsedString()),
          "Write it like 2030-01-31T12:00:00Z.");
    }
  }

  private static Instant due(Map<String, Object> config, Instant since) {
    if (config.get("until") instanceof Object until) {
      return OffsetDateTime.parse(String.valueOf(until)).toInstant();
    }
    return since.plus(duration(config.get("duration"), Duration.ZERO));
  }

  private static Result timer(Instant due, Instant since, Instant now) {
    return due.isAfter(now)
        ? new Result.Parked(due, "the time " + due, Map.of(SINCE, since.toString()), Limits.RUN)
        : waited(since, now);
  }

  private static Result condition(Map<String, Object> config, Instant since, Instant now) {
    if (Boolean.TRUE.equals(config.get("condition"))) {
      return waited(since, now);
    }
    Duration interval = duration(config.get("interval"), USUAL_INTERVAL);
    return new Result.Parked(
        now.plus(interval), "its condition", Map.of(SINCE, since.toString()), Limits.ALL);
  }

  private static Result waited(Instant since, Instant now) {
    return new Result.Succeeded(
        Map.of("waited_ms", Duration.between(since, now).toMillis()), Set.of());
  }

  static Duration duration(@Nullable Object value, Duration otherwise) {
    return switch (value) {
      case null -> otherwise;
      case Duration duration -> duration;
      default -> DurationText.parseValue(value).orElse(otherwise);
    };
  }

  private static Result invalid(String message, @Nullable String hint) {
    return new Result.Failed(StepError.permanent("invalid-config", message, hint), Map.of());
  }
}
