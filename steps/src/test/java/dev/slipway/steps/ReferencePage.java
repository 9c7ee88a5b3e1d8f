package dev.slipway.steps;

import dev.slipway.engine.grammar.Field;
import dev.slipway.engine.grammar.Field.Need;
import dev.slipway.engine.grammar.Field.Support;
import dev.slipway.engine.grammar.Form;
import dev.slipway.engine.grammar.Grammar;
import dev.slipway.engine.grammar.Rule;
import dev.slipway.engine.grammar.Shape;
import dev.slipway.engine.workflow.StepType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Renders the tables of a grammar as a documentation page. */
final class ReferencePage {
  private final StringBuilder page = new StringBuilder();
  private final Set<String> titles = new HashSet<>();
  private final Grammar grammar;

  ReferencePage(Grammar grammar, String title, String introduction) {
    this.grammar = grammar;
    page.append("# ").append(title).append("\n\n").append(introduction);
    page.append(
        "\n\nThis page is made from the tables that the parser and the schema [`schemas/"
            + grammar.name()
            + ".json`](../schemas/"
            + grammar.name()
            + ".json) are held to. Fields are written in camelCase or snake_case alike.\n");
  }

  /** A section for every form that has a description. */
  ReferencePage forms() {
    grammar.forms().stream()
        .filter(form -> !form.about().isEmpty() && !form.name().startsWith("step-"))
        .filter(form -> !form.name().startsWith("inner") && !form.name().startsWith("old"))
        .forEach(form -> form(form.name(), form));
    return this;
  }

  ReferencePage form(String title, Form form) {
    if (!titles.add(title)) {
      return this;
    }
    page.append("\n## ").append(title).append("\n\n").append(form.about()).append("\n\n");
    table(form.fields().stream().filter(f -> f.support() == Support.CURRENT).toList());
    form.rules().stream()
        .map(ReferencePage::rule)
        .filter(text -> !text.isEmpty())
        .forEach(text -> page.append("\n").append(text).append("\n"));
    List<Field> old =
        form.fields().stream().filter(f -> f.support() == Support.DEPRECATED).toList();
    if (!old.isEmpty()) {
      String list =
          old.stream()
              .map(f -> "`" + f.name() + "` (" + f.description() + ")")
              .collect(Collectors.joining(", "));
      page.append("\nOlder spellings, read with a warning: ").append(list).append(".\n");
    }
    return this;
  }

  private void table(List<Field> fields) {
    page.append("| field | value | default | meaning |\n|---|---|---|---|\n");
    for (Field field : fields) {
      String usual = field.need() == Need.REQUIRED ? "**required**" : field.usual();
      row("`" + field.name() + "`", words(field.shape()), usual, field.description());
    }
  }

  private void row(String... cells) {
    page.append('|');
    for (String cell : cells) {
      page.append(' ').append(cell.replace("|", "\\|")).append(" |");
    }
    page.append('\n');
  }

  private static String rule(Rule rule) {
    return switch (rule) {
      case Rule.ExactlyOne one -> "Exactly one of " + names(one.names()) + " is written.";
      case Rule.AtLeastOne any ->
          any.names().size() == 1 ? "" : "At least one of " + names(any.names()) + " is written.";
      case Rule.AtMostOne most -> "At most one of " + names(most.names()) + " is written.";
      case Rule.Spread spread -> rule(spread.rule());
      case Rule.Where _, Rule.Only _ -> "";
    };
  }

  private static String names(List<String> names) {
    return names.stream().map(n -> "`" + n + "`").collect(Collectors.joining(", "));
  }

  static String words(Shape shape) {
    return switch (shape) {
      case Shape.Text _, Shape.Filled _ -> "text";
      case Shape.Matching matching -> matching.words();
      case Shape.Scalar _ -> "text";
      case Shape.Truth _ -> "true or false";
      case Shape.Decimal _ -> "number";
      case Shape.Time _ -> "duration";
      case Shape.Anything _ -> "any value";
      case Shape.Nothing _ -> "nothing";
      case Shape.OpenMap _ -> "map";
      case Shape.Whole whole -> whole.least() + " to " + whole.most();
      case Shape.Words words -> names(words.words());
      case Shape.ListOf list -> "list of " + words(list.item());
      case Shape.MapOf map -> "map of " + words(map.value());
      case Shape.Either either ->
          either.shapes().stream()
              .filter(s -> !(s instanceof Shape.Nothing))
              .map(ReferencePage::words)
              .collect(Collectors.joining(", or "));
      case Shape.Templated templated -> words(templated.shape());
      case Shape.Referring referring -> words(referring.shape());
      case Shape.In in -> form(in.form());
      case Shape.Variants _ -> "step";
      case Shape.Given _ -> "map";
      case Shape.Narrowed narrowed -> words(narrowed.shape());
      case Shape.Looking _ -> "template or map";
    };
  }

  private static String form(String name) {
    return switch (name) {
      case "innerStep" -> "[steps](#step)";
      case "parameterByName" -> "the same by name (old)";
      case "listedEnv", "listedOutput" -> "maps with a name (old)";
      default -> "[" + name + "](#" + name.toLowerCase(Locale.ROOT) + ")";
    };
  }

  /** One section for each step type. */
  ReferencePage stepTypes(List<StepType> types) {
    page.append("\n## Step types\n\n");
    page.append("A type that is not listed here has no executor, and is an error at load.\n");
    types.forEach(this::stepType);
    return this;
  }

  private void stepType(StepType type) {
    page.append("\n### ").append(type.name()).append("\n\n");
    if (!type.aliases().isEmpty()) {
      page.append("Also called ").append(names(type.aliases().stream().sorted().toList()));
      page.append(". ");
    }
    page.append(type.manual().about()).append("\n\n| config | value | meaning |\n|---|---|---|\n");
    for (StepType.Field field : type.fields()) {
      List<String> notes = new ArrayList<>(List.of(field.description()));
      if (!field.spellings().isEmpty()) {
        notes.add("also " + names(field.spellings()));
      }
      if (field.need() == StepType.Need.REQUIRED) {
        notes.addFirst("**required**");
      }
      String value = field.choices().isEmpty() ? kind(field.kind()) : names(field.choices());
      row("`" + field.name() + "`", value, String.join("; ", notes));
    }
    Form step = grammar.form("step-" + type.name());
    step.rules().stream()
        .map(ReferencePage::rule)
        .filter(text -> !text.isEmpty())
        .forEach(text -> page.append('\n').append(text).append('\n'));
    if (!type.manual().outputs().isEmpty()) {
      page.append("\n| output | meaning |\n|---|---|\n");
      type.manual().outputs().forEach((n, m) -> row(n.startsWith("(") ? n : "`" + n + "`", m));
    }
    String attempts =
        type.defaultAttempts() == 1
            ? "Tried once"
            : "Tried " + type.defaultAttempts() + " times when a failure is transient";
    page.append('\n').append(attempts).append(" unless `retry` says otherwise. ");
    page.append(type.manual().recovery()).append('\n');
  }

  private static String kind(StepType.Kind kind) {
    return switch (kind) {
      case SCRIPT -> "shell script";
      case SQL -> "SQL, or a list of it";
      case MANIFEST -> "YAML documents, map, or list of maps";
      case CONDITION -> "expression";
      case VALUE, TEXT, NUMBER, BOOLEAN, DURATION, LIST, MAP ->
          kind.name().toLowerCase(Locale.ROOT).replace("value", "any value");
    };
  }

  String text() {
    return page.toString().replace(". \n", ".\n");
  }
}
