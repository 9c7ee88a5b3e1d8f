package dev.slipway.kubernetes.health.custom;

import dev.slipway.engine.health.Health;
import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.health.HealthRule;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import dev.slipway.kubernetes.lua.LuaData;
import dev.slipway.kubernetes.lua.LuaFailure;
import dev.slipway.kubernetes.lua.LuaLimits;
import dev.slipway.kubernetes.lua.LuaScript;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A script as Argo CD takes it: it reads {@code obj} and returns a table with {@code status} and
 * {@code message}.
 */
public record LuaRule(LuaScript script, InstantSource clock) implements HealthRule {
  @Override
  public Optional<ObjectHealth> judge(LiveObject object, Neighbours others) {
    Map<String, Object> globals = Map.of("obj", object.fields(), "actionParams", Map.of());
    try {
      return health(script.evaluate(globals, LuaLimits.DEFAULT, clock.instant()));
    } catch (LuaFailure e) {
      return Optional.of(ObjectHealth.unknown(e.text()));
    }
  }

  private static Optional<ObjectHealth> health(@Nullable Object result) {
    return switch (result) {
      case null -> Optional.empty();
      case List<?> _ -> Optional.empty();
      case Map<?, ?> table -> ofTable(Values.map(table));
      case LuaData.NoData(String type) -> noTable(type);
      case String _ -> noTable("string");
      case Boolean _ -> noTable("boolean");
      default -> noTable("number");
    };
  }

  private static Optional<ObjectHealth> noTable(String type) {
    return Optional.of(ObjectHealth.unknown("expect table output from Lua script, not " + type));
  }

  /** Other types than text are no health, as in Argo CD. */
  private static Optional<ObjectHealth> ofTable(Map<String, Object> table) {
    Object status = field(table, "status");
    Object message = field(table, "message");
    if (!(status instanceof String word) || !(message instanceof String text)) {
      return Optional.empty();
    }
    return Optional.of(
        Health.parse(word)
            .filter(known -> known != Health.FAILED)
            .map(known -> new ObjectHealth(known, text))
            .orElseGet(() -> ObjectHealth.unknown("Lua returned an invalid health status")));
  }

  /** Empty text for nothing; names count in any case, as in JSON of Go. */
  private static Object field(Map<String, Object> table, String name) {
    Object exact = table.get(name);
    if (exact != null) {
      return exact;
    }
    return table.entrySet().stream()
        .filter(entry -> entry.getKey().equalsIgnoreCase(name))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }
}
