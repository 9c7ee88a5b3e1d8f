package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.workflow.Step.Capture;
import dev.slipway.gotemplate.regex.Regex;
import dev.slipway.gotemplate.regex.RegexSyntaxException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads what goes into a step's environment and what is cut out of its results. */
record StepResults(Section section) {
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern RESERVED =
      Pattern.compile("SLIPWAY_.*|LD_.*|BASH_ENV|ENV|PS[0-4]|PROMPT_COMMAND|SHELLOPTS|BASHOPTS");

  /** Environment variables; a list of {@code {name, value}} is an old form. */
  Map<String, String> env() {
    Map<String, String> env = new LinkedHashMap<>();
    switch (section.located("env").orElse(null)) {
      case null -> {}
      case Located.Mapping map -> map.entries().forEach((name, e) -> put(env, name, e.value()));
      case Located.Sequence _ -> {
        section.warning(
            "env", "legacy-form", "env as a list is an old form", "Write a map by name.");
        for (Section each : section.sections("env")) {
          each.only(StepForms.LISTED_ENV.names());
          String name = each.requiredString("name");
          each.noOtherKeys();
          each.located("value").ifPresent(value -> put(env, name, value));
        }
      }
      case Located.Scalar _ -> section.error("env", "wrong-type", "expected a map", null);
    }
    return env;
  }

  private void put(Map<String, String> env, String name, Located value) {
    if (!VARIABLE.matcher(name).matches()) {
      section.error(
          "env", "invalid-value", "'" + name + "' cannot be an environment variable", null);
    } else if (RESERVED.matcher(name).matches()) {
      section.error(
          "env",
          "reserved-name",
          "'" + name + "' changes how the shell itself works and cannot be set",
          null);
    } else if (value instanceof Located.Scalar scalar) {
      env.put(name, scalar.plain() == null ? "" : scalar.text());
    } else {
      section.error("env", "wrong-type", "'" + name + "' must be text, not " + value.kind(), null);
    }
  }

  /** Outputs to cut out of what the step produced. */
  Map<String, Capture> capture() {
    Map<String, Capture> all = new LinkedHashMap<>();
    section.sectionMap("capture").forEach((name, fields) -> all.put(name, capture(fields)));
    return all;
  }

  private static Capture capture(Section fields) {
    fields.only(WorkflowForms.CAPTURE.names());
    Capture.Source from = fields.choice("from", Capture.Source.class, Capture.Source.STDOUT);
    Optional<String> jsonPath = fields.string("jsonPath");
    Optional<String> regex = fields.string("regex");
    fields.noOtherKeys();
    if (jsonPath.isPresent() == regex.isPresent()) {
      fields.error("invalid-value", "write one of 'jsonPath' and 'regex'", null);
    }
    jsonPath.ifPresent(path -> checkPath(fields, path));
    regex.ifPresent(pattern -> checkRegex(fields, pattern));
    return new Capture(from, jsonPath.orElse(null), regex.orElse(null));
  }

  private static void checkPath(Section fields, String path) {
    try {
      JsonPath.parse(path);
    } catch (IllegalArgumentException e) {
      fields.error("jsonPath", "invalid-path", String.valueOf(e.getMessage()), JsonPath.FORMS);
    }
  }

  private static void checkRegex(Section fields, String pattern) {
    try {
      Regex.compile(pattern);
    } catch (RegexSyntaxException e) {
      fields.error(
          "regex",
          "invalid-pattern",
          String.valueOf(e.getMessage()),
          "Patterns are written as for RE2.");
    }
  }
}
