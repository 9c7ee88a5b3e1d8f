package dev.slipway.engine.workflow;

import static dev.slipway.engine.workflow.WorkflowForms.PARAMETER;
import static dev.slipway.engine.workflow.WorkflowForms.PARAMETER_BY_NAME;

import dev.slipway.engine.grammar.Form;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.workflow.Parameter.Need;
import dev.slipway.engine.workflow.Parameter.Part;
import dev.slipway.engine.workflow.Parameter.Type;
import dev.slipway.engine.workflow.Workflow.Secrecy;
import dev.slipway.gotemplate.regex.Regex;
import dev.slipway.gotemplate.regex.RegexSyntaxException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the declared parameters of a workflow. */
public final class ParameterParser {
  private static final Pattern NAME = Pattern.compile(WorkflowForms.NAME);
  static final Map<String, Type> TYPES = types();

  private final Set<String> names = new HashSet<>();

  /** A parameter that is described elsewhere, by its name: its fields but the name. */
  public static Parameter described(String name, Section fields) {
    return new ParameterParser()
        .parse(List.of(new LegacyForms.NamedSection(Optional.of(name), fields)))
        .getFirst();
  }

  List<Parameter> parse(List<LegacyForms.NamedSection> sections) {
    List<Parameter> parameters = new ArrayList<>();
    List<Section> fields = new ArrayList<>();
    for (LegacyForms.NamedSection section : sections) {
      parameters.add(parameter(section));
      fields.add(section.fields());
    }
    new DefaultOrder(parameters, fields).check();
    return parameters;
  }

  private Parameter parameter(LegacyForms.NamedSection named) {
    Form form = named.name().isPresent() ? PARAMETER_BY_NAME : PARAMETER;
    Section fields = named.fields().only(form.names());
    int errors = fields.diagnostics().errorCount();
    String name = named.name().orElseGet(() -> fields.requiredMatching("name", NAME, "a name"));
    if (named.name().isPresent() && !NAME.matcher(name).matches()) {
      fields.error("invalid-value", "'" + name + "' is not a name", null);
    }
    if (!name.isEmpty() && !names.add(name)) {
      fields.error("name", "duplicate-name", "parameter '" + name + "' is declared twice", null);
    }
    Type type = fields.oneOf("type", TYPES.keySet()).map(TYPES::get).orElse(Type.ANY);
    Need need = fields.bool("required", false) ? Need.REQUIRED : Need.OPTIONAL;
    Object otherwise = fields.value("default").orElse(null);
    List<Object> allowed = allowed(fields, type);
    String pattern = pattern(fields).orElse(null);
    Number min = bound(fields, "min", type).orElse(null);
    Number max = bound(fields, "max", type).orElse(null);
    if (min != null && max != null && ExactNumber.compare(min, max) > 0) {
      fields.error("min", "invalid-value", "min is greater than max", null);
    }
    boolean secret = fields.bool("secret", type == Type.SECRET) || Secrets.nameSaysSecret(name);
    boolean identifying = fields.bool("identifying", false);
    if (identifying && secret) {
      fields.error(
          "identifying",
          "invalid-value",
          "a secret cannot identify a resource: its value is on record in clear",
          "Identify it by something that may be shown.");
    }
    String description = fields.string("description", "");
    fields.noOtherKeys();
    Parameter parameter =
        new Parameter(
            name,
            allowed.isEmpty() || type != Type.ANY ? type : Type.ENUM,
            need,
            otherwise,
            description,
            allowed,
            pattern,
            min,
            max,
            secret ? Secrecy.SECRET : Secrecy.PLAIN,
            identifying ? Part.IDENTIFYING : Part.CONFIGURING);
    if (fields.diagnostics().errorCount() == errors) {
      checkAllowed(parameter, fields);
      checkDefault(parameter, otherwise, fields);
    }
    return parameter;
  }

  /** An allowed value that is not of the type could never be given. */
  private static void checkAllowed(Parameter parameter, Section fields) {
    String key = fields.located("enum").isPresent() ? "enum" : "allowedValues";
    ParameterCheck check = new ParameterCheck(parameter, ParameterBinding.Words.STRICT);
    for (Object value : parameter.allowed()) {
      check.mismatch(value).ifPresent(p -> fields.error(key, p.code(), p.message(), p.hint()));
    }
  }

  private static void checkDefault(Parameter parameter, @Nullable Object value, Section fields) {
    if (value == null || TemplateScan.anyTemplate(value)) {
      return;
    }
    new ParameterCheck(parameter, ParameterBinding.Words.STRICT)
        .problem(value)
        .ifPresent(
            problem -> fields.error("default", problem.code(), problem.message(), problem.hint()));
  }

  private static List<Object> allowed(Section fields, Type type) {
    String key = fields.has("allowedValues") && !fields.has("enum") ? "allowedValues" : "enum";
    Optional<Located> written = fields.located(key);
    if (written.isEmpty()) {
      if (type == Type.ENUM) {
        fields.error("missing-field", "'enum' is required for the type enum", null);
      }
      return List.of();
    }
    if (!(written.get() instanceof Located.Sequence list) || list.items().isEmpty()) {
      fields.error(key, "wrong-type", "expected a list of allowed values", null);
      return List.of();
    }
    return list.plain().stream().filter(value -> value != null).toList();
  }

  /** A number; of durations also a duration, kept in seconds. */
  private static Optional<Number> bound(Section fields, String key, Type type) {
    boolean text = fields.value(key).orElse(null) instanceof String;
    return type == Type.DURATION && text
        ? fields.duration(key).map(d -> BigDecimal.valueOf(d.toMillis(), 3))
        : fields.number(key);
  }

  private static Optional<String> pattern(Section fields) {
    Optional<String> pattern = fields.string("pattern");
    pattern.ifPresent(
        text -> {
          try {
            Regex.compile(text);
            AnchoredPattern.fault(text)
                .ifPresent(f -> fields.error("pattern", "open-pattern", f.message(), f.hint()));
          } catch (RegexSyntaxException e) {
            fields.error(
                "pattern",
                "invalid-pattern",
                String.valueOf(e.getMessage()),
                "Patterns are written as for RE2.");
          }
        });
    return pattern;
  }

  private static Map<String, Type> types() {
    Map<String, Type> words = new LinkedHashMap<>();
    words.put("string", Type.STRING);
    words.put("number", Type.NUMBER);
    words.put("integer", Type.INTEGER);
    words.put("boolean", Type.BOOLEAN);
    words.put("object", Type.OBJECT);
    words.put("array", Type.ARRAY);
    words.put("enum", Type.ENUM);
    words.put("duration", Type.DURATION);
    words.put("secret", Type.SECRET);
    words.put("int", Type.INTEGER);
    words.put("bool", Type.BOOLEAN);
    words.put("map", Type.OBJECT);
    words.put("list", Type.ARRAY);
    return words;
  }
}
