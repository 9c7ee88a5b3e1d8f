package dev.slipway.cli;

import dev.slipway.cli.kinds.Column;
import dev.slipway.cli.kinds.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A verb for objects of every kind that the server's table names. */
abstract class KindVerb extends PlacedVerb {
  /** What the command line names: a kind, and objects of it. */
  record Subject(Kind kind, List<String> names) {}

  KindObjects objects() throws InterruptedException {
    return KindObjects.on(api());
  }

  /** From {@code KIND NAME...}, or {@code KIND/NAME}. */
  static Subject subject(KindObjects objects, String first, List<String> more) {
    int slash = first.indexOf('/');
    if (slash < 0) {
      return new Subject(objects.kind(first), more);
    }
    List<String> names = new ArrayList<>(List.of(first.substring(slash + 1)));
    names.addAll(more);
    return new Subject(objects.kind(first.substring(0, slash)), names);
  }

  /** The same where at least one object has to be named. */
  static Subject named(KindObjects objects, String first, List<String> more) {
    Subject subject = subject(objects, first, more);
    if (subject.names().isEmpty()) {
      throw new Failure(
          ExitCode.USAGE,
          "which " + subject.kind().name() + "?",
          "See what there is: " + Hints.command() + " get " + subject.kind().plural());
    }
    return subject;
  }

  /** {@code KIND/NAME} as two words; names that stand alone have no slash. */
  static Optional<Pair> pair(String first, @Nullable String second) {
    int slash = first.indexOf('/');
    if (second != null) {
      return Optional.of(new Pair(first, second));
    }
    return slash < 0
        ? Optional.empty()
        : Optional.of(new Pair(first.substring(0, slash), first.substring(slash + 1)));
  }

  /** A word for a kind, and the name of one object. */
  record Pair(String kind, String name) {}

  /** {@code resource:postgres.default#shop.db}: a node of the graph, of any kind. */
  static boolean isNode(String word) {
    return word.indexOf(':') > 0;
  }

  /** The kind that the first of two words names. */
  Kind first(KindObjects objects, String word) {
    try {
      return objects.kind(word);
    } catch (Failure unknown) {
      List<String> lines = new ArrayList<>(unknown.lines());
      objects
          .table()
          .alone()
          .ifPresent(
              kind ->
                  lines.add(
                      "One word alone names one of the %s: %s %s %s"
                          .formatted(
                              kind.plural(),
                              Hints.command(),
                              spec.name(),
                              kind.words().getLast().toUpperCase(Locale.ROOT))));
      throw new Failure(unknown.exitCode(), String.valueOf(unknown.getMessage()), lines);
    }
  }

  /** The columns of the kind. */
  static Table columns(Kind kind) {
    Table table = new Table();
    kind.columns()
        .forEach(
            column -> {
              switch (column.shown()) {
                case ALWAYS -> table.column(column.title(), row -> cell(column, row));
                case WIDE -> table.wide(column.title(), row -> cell(column, row));
              }
            });
    return table;
  }

  static String cell(Column column, Map<String, Object> row) {
    Object value = column.value(row);
    return switch (column.form()) {
      case TEXT -> Table.text(value);
      case AGE -> Since.age(value);
      case UNTIL -> Since.until(value);
      case DURATION -> duration(value);
    };
  }

  private static String duration(@Nullable Object value) {
    return value instanceof Number millis
        ? Since.shortly(Duration.ofMillis(millis.longValue()))
        : "-";
  }

  /** {@code application shop}. */
  static String called(Kind kind, Map<String, Object> object) {
    return kind.name() + " " + kind.nameOf(object);
  }

  /** A command about the object, to be copied: {@code slipway explain application shop -e dev}. */
  static String command(String verb, Kind kind, Map<String, Object> object) {
    String environment = object.get("environment") instanceof String here ? here : "default";
    return Hints.command() + " " + verb + " " + called(kind, object) + Hints.in(environment);
  }
}
