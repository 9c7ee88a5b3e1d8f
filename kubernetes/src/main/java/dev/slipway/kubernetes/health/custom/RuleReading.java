package dev.slipway.kubernetes.health.custom;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.kubernetes.lua.LuaFailure;
import dev.slipway.kubernetes.lua.LuaScript;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Rules that are being read from one source, and what is wrong with them. */
final class RuleReading {
  private final InstantSource clock;
  private final Diagnostics diagnostics;
  private final List<CustomRule> rules = new ArrayList<>();
  private final Map<String, String> sources = new HashMap<>();

  RuleReading(InstantSource clock, Diagnostics diagnostics) {
    this.clock = clock;
    this.diagnostics = diagnostics;
  }

  Diagnostics diagnostics() {
    return diagnostics;
  }

  InstantSource clock() {
    return clock;
  }

  CustomRules rules() {
    return new CustomRules(rules);
  }

  /** Where something is written, for messages. */
  record Place(String file, Path path, Position at) {
    Place at(Position other) {
      return new Place(file, path, other);
    }
  }

  void error(String code, Place place, String message, @Nullable String hint) {
    diagnostics.add(Diagnostic.error(code, place.file(), place.path(), place.at(), message, hint));
  }

  /** Two rules for the same kinds and object would depend on the order of reading. */
  void add(CustomRule rule, Place place) {
    String same = rule.pattern().group() + "/" + rule.pattern().kind() + "/" + rule.objectName();
    String earlier = sources.putIfAbsent(same, rule.source());
    if (earlier != null) {
      error(
          "duplicate-rule",
          place,
          "there is already a rule for " + rule.pattern() + ": " + earlier,
          "Remove one of them.");
    } else {
      rules.add(rule);
    }
  }

  /**
   * Compiles a script and adds it.
   *
   * @param lineAt where a line of the script stands in the file
   */
  void addScript(
      String source,
      KindPattern pattern,
      String script,
      Place place,
      IntFunction<Position> lineAt) {
    try {
      add(CustomRule.of(source, pattern, new LuaRule(LuaScript.compile(script), clock)), place);
    } catch (LuaFailure e) {
      error("invalid-script", place.at(lineAt.apply(e.line())), "not valid Lua: " + e.text(), null);
    }
  }
}
