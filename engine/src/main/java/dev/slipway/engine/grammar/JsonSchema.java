package dev.slipway.engine.grammar;

import dev.slipway.engine.grammar.Field.Need;
import dev.slipway.engine.grammar.Field.Support;
import dev.slipway.engine.intake.DurationText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A JSON Schema of a grammar, for editors. It accepts everything that the parser accepts and
 * refuses every mistake that is visible within one map; only the parser checks references between
 * parts of a file.
 */
public final class JsonSchema {
  /** The URI of the version of JSON Schema. */
  public static final String DRAFT = "https://json-schema.org/draft/2020-12/schema";

  /** A text in which a template stands. */
  private static final Map<String, Object> TEMPLATE =
      map("type", "string", "pattern", "\\{\\{|\\$\\{");

  private static final Map<String, Object> REFERENCE =
      map("type", "string", "pattern", "\\$\\{(?:env|file):[^}]*\\}");

  private final Grammar grammar;

  JsonSchema(Grammar grammar) {
    this.grammar = grammar;
  }

  /** The schema, as a tree to be written as JSON. */
  public static Map<String, Object> of(Grammar grammar) {
    return new JsonSchema(grammar).document();
  }

  Map<String, Object> document() {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", DRAFT);
    schema.put("title", grammar.title());
    schema.putAll(shape(grammar.root()));
    Map<String, Object> definitions = new LinkedHashMap<>();
    grammar.shapes().forEach((name, shape) -> definitions.put(name, shape(shape)));
    grammar.byName().forEach((name, form) -> definitions.put(name, form(form)));
    schema.put("$defs", definitions);
    return schema;
  }

  private Map<String, Object> form(Form form) {
    Map<String, Object> schema = map("type", "object");
    if (!form.about().isEmpty()) {
      schema.put("description", form.about());
    }
    Map<String, Object> properties = new LinkedHashMap<>();
    List<Object> all = new ArrayList<>();
    List<Object> required = new ArrayList<>();
    for (Field field : form.fields()) {
      List<String> spellings = grammar.spellings(field.name());
      spellings.forEach(name -> properties.put(name, property(field)));
      if (spellings.size() > 1) {
        all.add(map("not", map("required", spellings)));
      }
      if (field.need() == Need.REQUIRED && spellings.size() == 1) {
        required.add(field.name());
      } else if (field.need() == Need.REQUIRED) {
        all.add(present(field.name()));
      }
    }
    form.rules().forEach(rule -> all.add(rule(rule)));
    put(schema, "required", required);
    schema.put("properties", properties);
    if (form.others() == Form.Others.REFUSED) {
      schema.put("additionalProperties", false);
    }
    put(schema, "allOf", all);
    return schema;
  }

  private static void put(Map<String, Object> schema, String key, List<Object> values) {
    if (!values.isEmpty()) {
      schema.put(key, values);
    }
  }

  /** Null is as good as absent where a field may be absent. */
  private Map<String, Object> property(Field field) {
    Map<String, Object> schema = new LinkedHashMap<>();
    boolean old = field.support() == Support.DEPRECATED;
    String description = old ? "Old: " + field.description() : field.description();
    if (!description.isEmpty()) {
      String usual = field.usual().isEmpty() ? "" : " (" + field.usual() + " if left out)";
      schema.put("description", description + usual + ".");
    }
    if (old) {
      schema.put("deprecated", true);
    }
    Map<String, Object> value = shape(field.shape());
    if (field.need() == Need.REQUIRED || value.isEmpty()) {
      schema.putAll(value);
    } else if (value.get("type") instanceof String type && !value.containsKey("enum")) {
      schema.putAll(value);
      schema.put("type", List.of(type, "null"));
    } else {
      schema.put("anyOf", List.of(value, map("type", "null")));
    }
    return schema;
  }

  private Map<String, Object> shape(Shape shape) {
    return switch (shape) {
      case Shape.Text _ -> map("type", "string");
      case Shape.Filled _ -> map("type", "string", "pattern", "\\S");
      case Shape.Scalar _ -> map("type", List.of("string", "number", "boolean"));
      case Shape.Truth _ -> map("type", "boolean");
      case Shape.Decimal _ -> map("type", "number");
      case Shape.Time _ -> duration();
      case Shape.Anything _ -> map();
      case Shape.Nothing _ -> map("type", "null");
      case Shape.OpenMap _ -> map("type", "object");
      case Shape.Matching matching ->
          map("type", "string", "pattern", "^(?:" + matching.pattern() + ")$");
      case Shape.Whole whole ->
          map("type", "integer", "minimum", whole.least(), "maximum", whole.most());
      case Shape.Words words -> map("type", "string", "enum", words.words());
      case Shape.ListOf list -> list(list);
      case Shape.MapOf map -> map("type", "object", "additionalProperties", shape(map.value()));
      case Shape.Either either -> map("anyOf", either.shapes().stream().map(this::shape).toList());
      case Shape.Templated templated -> map("anyOf", List.of(shape(templated.shape()), TEMPLATE));
      case Shape.Referring referring -> map("anyOf", List.of(shape(referring.shape()), REFERENCE));
      case Shape.In in -> map("$ref", "#/$defs/" + in.form());
      case Shape.Variants variants -> variants(variants);
      case Shape.Given given ->
          map(
              "if", present(given.field()),
              "then", shape(given.then()),
              "else", shape(given.otherwise()));
      case Shape.Narrowed narrowed ->
          map("allOf", List.of(shape(narrowed.shape()), narrower(narrowed.fields())));
      case Shape.Looking looking -> looking(looking);
    };
  }

  private Map<String, Object> list(Shape.ListOf list) {
    Map<String, Object> schema = map("type", "array");
    if (list.least() > 0) {
      schema.put("minItems", list.least());
    }
    if (list.most() < Integer.MAX_VALUE) {
      schema.put("maxItems", list.most());
    }
    schema.put("items", shape(list.item()));
    return schema;
  }

  private static Map<String, Object> duration() {
    String number = "(?:\\d{1,12}(?:\\.\\d{1,9})?";
    String units =
        Stream.of("w", "d", "h", "m", "s", "ms")
            .map(u -> number + u + ")?")
            .reduce("", String::concat);
    return map(
        "anyOf",
        List.of(
            map("type", "integer", "minimum", 0L, "maximum", DurationText.LONGEST.toSeconds()),
            map("type", "string", "pattern", "^\\s*(?=\\d)(?:\\d{1,12}|" + units + ")\\s*$")));
  }

  private Map<String, Object> variants(Shape.Variants variants) {
    List<String> words = variants.variants().stream().flatMap(v -> v.words().stream()).toList();
    Map<String, Object> key = map("properties", map(variants.field(), map("enum", words)));
    List<Object> all = new ArrayList<>();
    for (Shape.Variants.Variant each : variants.variants()) {
      all.add(map("if", is(variants.field(), each.words()), "then", shape(each.form())));
    }
    key.put("type", "object");
    if (variants.absent().isPresent()) {
      Map<String, Object> there = map("required", List.of(variants.field()));
      all.add(map("if", map("not", there), "then", shape(variants.absent().get())));
    } else {
      key.put("required", List.of(variants.field()));
    }
    key.put("allOf", all);
    return key;
  }

  private Map<String, Object> looking(Shape.Looking looking) {
    List<String> names =
        grammar.form(looking.form().form()).names().stream()
            .flatMap(name -> grammar.spellings(name).stream())
            .toList();
    return map(
        "if",
        map(
            "type",
            "object",
            "required",
            looking.field().isEmpty() ? List.of() : List.of(looking.field()),
            "minProperties",
            1,
            "propertyNames",
            map("enum", names)),
        "then",
        shape(looking.form()));
  }

  private Map<String, Object> rule(Rule rule) {
    return switch (rule) {
      case Rule.AtLeastOne any -> anyOf(any.names().stream().map(this::present).toList());
      case Rule.ExactlyOne one -> map("oneOf", one.names().stream().map(this::present).toList());
      case Rule.AtMostOne most -> notTwo(most.names().stream().map(this::present).toList());
      case Rule.Spread spread -> spread(spread);
      case Rule.Only only -> map("if", is(only.field(), only.words()), "then", rule(only.rule()));
      case Rule.Where where ->
          map(
              "if",
              is(where.field(), where.words()),
              "then",
              narrower(where.then()),
              "else",
              narrower(where.otherwise()));
    };
  }

  private static Map<String, Object> is(String field, List<String> words) {
    return map("required", List.of(field), "properties", map(field, map("enum", words)));
  }

  /** The same of fields that may stand in a map below as well. */
  private Map<String, Object> spread(Rule.Spread spread) {
    String section = spread.section();
    Function<String, Map<String, Object>> there =
        name -> {
          Map<String, Object> below =
              map("required", List.of(section), "properties", map(section, present(name)));
          return spread.belowOnly().contains(name) ? below : anyOf(List.of(present(name), below));
        };
    return switch (spread.rule()) {
      case Rule.AtLeastOne any -> anyOf(any.names().stream().map(there).toList());
      case Rule.ExactlyOne one -> map("oneOf", one.names().stream().map(there).toList());
      case Rule.AtMostOne most -> notTwo(most.names().stream().map(there).toList());
      case Rule.Spread _, Rule.Where _, Rule.Only _ ->
          throw new IllegalArgumentException("not of fields");
    };
  }

  private static Map<String, Object> notTwo(List<Map<String, Object>> ways) {
    List<Object> pairs = new ArrayList<>();
    for (int i = 0; i < ways.size(); i++) {
      for (Map<String, Object> other : ways.subList(i + 1, ways.size())) {
        pairs.add(map("not", map("allOf", List.of(ways.get(i), other))));
      }
    }
    return map("allOf", pairs);
  }

  private static Map<String, Object> anyOf(List<Map<String, Object>> ways) {
    return ways.size() == 1 ? ways.getFirst() : map("anyOf", ways);
  }

  private Map<String, Object> narrower(List<Field> fields) {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<Object> needed = new ArrayList<>();
    for (Field field : fields) {
      grammar.spellings(field.name()).forEach(name -> properties.put(name, property(field)));
      if (field.need() == Need.REQUIRED) {
        needed.add(present(field.name()));
      }
    }
    Map<String, Object> schema = map("properties", properties);
    put(schema, "allOf", needed);
    return schema;
  }

  /** The field is there in one of its spellings, and is not null. */
  private Map<String, Object> present(String name) {
    return anyOf(
        grammar.spellings(name).stream()
            .map(
                spelling ->
                    map(
                        "type", "object",
                        "required", List.of(spelling),
                        "properties", map(spelling, map("not", map("type", "null")))))
            .toList());
  }

  private static Map<String, Object> map(Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put((String) pairs[i], pairs[i + 1]);
    }
    return map;
  }
}
