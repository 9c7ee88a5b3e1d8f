package dev.slipway.kubernetes.health.custom;

import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.intake.Section;
import dev.slipway.kubernetes.cel.CelCondition;
import dev.slipway.kubernetes.cel.CelFailure;
import dev.slipway.kubernetes.health.HealthRule;
import dev.slipway.kubernetes.health.builtin.CephClusterRule;
import dev.slipway.kubernetes.health.custom.RuleReading.Place;
import dev.slipway.kubernetes.lua.LuaFailure;
import dev.slipway.kubernetes.lua.LuaScript;
import java.util.List;
import java.util.Optional;

/** A document of kind HealthCheck: which kinds, and a script, conditions or a probe. */
final class HealthCheckDocument {
  static final String API_VERSION = "slipway.dev/v1alpha1";
  static final String KIND = "HealthCheck";
  private static final List<String> WAYS = List.of("lua", "cel", "probe");

  private final Document document;
  private final RuleReading reading;

  private HealthCheckDocument(Document document, RuleReading reading) {
    this.document = document;
    this.reading = reading;
  }

  static void read(Document document, RuleReading reading) {
    new HealthCheckDocument(document, reading).read();
  }

  private void read() {
    Section root = document.section(reading.diagnostics());
    root.string("apiVersion");
    root.string("kind");
    Section metadata = root.requiredSection("metadata");
    String name = metadata.requiredString("name");
    metadata.ignoring("labels", "annotations").noOtherKeys();
    Section spec = root.requiredSection("spec");
    root.noOtherKeys();
    Optional<KindPattern> pattern = pattern(spec);
    Optional<String> object = spec.section("match").flatMap(match -> match.string("name"));
    Optional<HealthRule> rule = rule(spec);
    spec.noOtherKeys();
    if (pattern.isPresent() && rule.isPresent()) {
      String source = document.file() + " " + name;
      reading.add(new CustomRule(source, pattern.get(), object, rule.get()), place(Path.ROOT));
    }
  }

  private Place place(Path path) {
    return new Place(document.file(), path, document.position(path));
  }

  private Optional<KindPattern> pattern(Section spec) {
    Section match = spec.requiredSection("match");
    String group = match.string("group", "");
    String kind = match.requiredString("kind");
    match.string("name");
    match.noOtherKeys();
    try {
      return Optional.of(new KindPattern(group, kind));
    } catch (IllegalArgumentException e) {
      match.error("invalid-value", String.valueOf(e.getMessage()), null);
      return Optional.empty();
    }
  }

  private Optional<HealthRule> rule(Section spec) {
    List<String> given = WAYS.stream().filter(spec::has).toList();
    if (given.size() != 1) {
      spec.error("ambiguous-check", "exactly one of lua, cel and probe is needed", null);
      return Optional.empty();
    }
    return switch (given.getFirst()) {
      case "lua" -> lua(spec);
      case "cel" -> cel(spec.requiredSection("cel"));
      default -> probe(spec.requiredSection("probe"));
    };
  }

  private Optional<HealthRule> lua(Section spec) {
    String script = spec.requiredString("lua");
    try {
      return Optional.of(new LuaRule(LuaScript.compile(script), reading.clock()));
    } catch (LuaFailure e) {
      Position start = spec.valueAt("lua");
      // The text of a block begins in the line below its mark.
      Position at = script.indexOf('\n') < 0 ? start : new Position(start.line() + e.line(), 1);
      Place place = place(Path.of("spec", "lua")).at(at);
      reading.error("invalid-script", place, "not valid Lua: " + e.text(), null);
      return Optional.empty();
    }
  }

  private Optional<HealthRule> cel(Section cel) {
    Optional<CelCondition> current = condition(cel, "current");
    boolean given = !cel.requiredString("current").isEmpty();
    Optional<CelCondition> inProgress = condition(cel, "inProgress");
    Optional<CelCondition> failed = condition(cel, "failed");
    cel.noOtherKeys();
    boolean sound =
        given
            && cel.has("inProgress") == inProgress.isPresent()
            && cel.has("failed") == failed.isPresent();
    return sound ? current.map(now -> new CelRule(now, inProgress, failed)) : Optional.empty();
  }

  private Optional<CelCondition> condition(Section cel, String field) {
    Optional<String> text = cel.string(field);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(CelCondition.compile(text.get()));
    } catch (CelFailure e) {
      cel.error(field, "invalid-condition", "not valid CEL: " + e.text(), null);
      return Optional.empty();
    }
  }

  private Optional<HealthRule> probe(Section probe) {
    Optional<String> type = probe.oneOf("type", List.of("ceph"));
    boolean allowWarn =
        probe.section("params").map(params -> params.bool("allowWarn", false)).orElse(false);
    probe.noOtherKeys();
    return type.map(
        ceph ->
            new CephClusterRule(
                allowWarn ? CephClusterRule.Warnings.PASS : CephClusterRule.Warnings.COUNT));
  }
}
