package dev.slipway.cli;

import dev.slipway.cli.kinds.Kind;
import dev.slipway.cli.kinds.Kind.Operation;
import dev.slipway.cli.kinds.NamePart;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.value.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists objects of a kind, or shows some of them; without a kind lists the kinds. */
@Command(
    name = "get",
    description = "Lists objects of KIND, or those named; without KIND, the kinds there are.",
    footer = {
      "",
      "  slipway get                          the kinds of this server",
      "  slipway get applications -o wide",
      "  slipway get app shop -o yaml",
      "  slipway get resource shop/db",
      "  slipway get runs -l status=failed"
    })
final class GetVerb extends KindVerb {
  @Parameters(index = "0", paramLabel = "KIND", arity = "0..1")
  @Nullable String kind;

  @Parameters(
      index = "1..*",
      paramLabel = "NAME",
      arity = "0..*",
      description = "The name or the id of an object.")
  List<String> names = List.of();

  @Option(
      names = {"-A", "--all-environments"},
      description = "Of all environments, whatever SLIPWAY_ENVIRONMENT says.")
  boolean everywhere;

  @Option(
      names = {"-l", "--selector"},
      paramLabel = "FIELD=VALUE",
      split = ",",
      description = "Only those with this value; by the filters of the kind's list.")
  Map<String, String> selector = Map.of();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "At most this many (" + KindObjects.MOST + ").")
  int limit = KindObjects.MOST;

  @Option(names = "--alone", hidden = true, description = "What one word without a kind names.")
  boolean alone;

  @Override
  public Integer call() throws Exception {
    KindObjects objects = objects();
    if (kind == null && alone) {
      return list(objects, objects.alone());
    }
    if (kind == null) {
      kinds(objects);
      return ExitCode.OK.code();
    }
    Subject subject = subject(objects, kind, names);
    return subject.names().isEmpty()
        ? list(objects, subject.kind())
        : some(objects, subject.kind(), subject.names());
  }

  private void kinds(KindObjects objects) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Kind each : objects.table().kinds()) {
      Map<String, Object> row = new LinkedHashMap<>(each.row());
      row.put("verbs", each.verbs());
      rows.add(row);
    }
    show(
        rows,
        new Table()
            .column("NAME", "plural")
            .column("SHORT NAMES", "shortNames")
            .column("KIND", "name")
            .column("SCOPE", "scope")
            .column("VERBS", "verbs")
            .wide("EVENTS", "events"),
        "plural",
        "No kinds.");
  }

  private int list(KindObjects objects, Kind kind) throws InterruptedException {
    if (kind.route(Operation.LIST).isEmpty()) {
      throw new Failure(
          ExitCode.USAGE,
          kind.plural() + " are not listed by the server",
          "Name one: %s get %s %s"
              .formatted(Hints.command(), kind.name(), kind.key().toUpperCase(Locale.ROOT)));
    }
    Map<String, Object> values = filters(objects, kind);
    List<Map<String, Object>> rows = new ArrayList<>(objects.list(kind, values, limit));
    boolean cut = rows.size() == limit;
    Object environment = values.get("environment");
    // the list of some kinds cannot be asked for one environment
    rows.removeIf(
        row ->
            environment != null
                && !environment.equals(row.getOrDefault("environment", environment)));
    show(rows, columns(kind), kind.key(), "No " + kind.plural() + where(kind, environment) + ".");
    if (cut) {
      err.println("Only the first " + limit + " are shown. Narrow it with -l, or raise --limit.");
    }
    return ExitCode.OK.code();
  }

  private static String where(Kind kind, @Nullable Object environment) {
    return environment == null || !kind.inEnvironments() ? "" : " in " + environment;
  }

  private Map<String, Object> filters(KindObjects objects, Kind kind) {
    Map<String, Object> values = new LinkedHashMap<>();
    if (!everywhere && kind.inEnvironments()) {
      settings().environment().ifPresent(name -> values.put("environment", name));
    }
    List<String> known = objects.template(kind, Operation.LIST).variables();
    selector.forEach((field, value) -> values.put(variable(kind, field, known), value));
    return values;
  }

  /** A filter of the list by its own name, or by the name of the field that it looks at. */
  private static String variable(Kind kind, String field, List<String> known) {
    if (known.contains(field)) {
      return field;
    }
    return kind.labels().stream()
        .filter(label -> label.field().equals(field) && label.filter() != null)
        .map(NamePart::filter)
        .findFirst()
        .orElseThrow(
            () ->
                new Failure(
                    ExitCode.USAGE,
                    kind.plural() + " cannot be selected by '" + field + "'",
                    Nearest.to(field, known).map(near -> "Did you mean '" + near + "'?").orElse(""),
                    known.isEmpty()
                        ? "Their list has no filters."
                        : "They can be by: " + String.join(", ", known) + "."));
  }

  /** Objects that exist are shown, also when some of the names do not. */
  private int some(KindObjects objects, Kind kind, List<String> names) throws InterruptedException {
    List<Map<String, Object>> found = new ArrayList<>();
    List<Failure> failures = new ArrayList<>();
    for (String name : names) {
      try {
        found.add(objects.named(kind, name, environment()));
      } catch (Failure failure) {
        failures.add(failure);
      }
    }
    if (names.size() == 1 && failures.size() == 1) {
      throw failures.getFirst();
    }
    if (names.size() == 1) {
      one(kind, found.getFirst());
    } else if (!found.isEmpty()) {
      show(found, columns(kind), kind.key(), "");
    }
    return report(failures);
  }

  private void one(Kind kind, Map<String, Object> object) {
    switch (format(Format.TABLE)) {
      case JSON -> out.println(Json.pretty(object));
      case YAML -> out.print(Yaml.write(object));
      case NAME, TABLE, WIDE -> show(List.of(object), columns(kind), kind.key(), "");
    }
  }

  /** Says what went wrong with some of several objects. */
  private int report(List<Failure> failures) {
    for (Failure failure : failures) {
      err.println("slipway: " + failure.getMessage());
      failure.lines().forEach(line -> err.println("  " + line));
    }
    return failures.isEmpty() ? ExitCode.OK.code() : failures.getFirst().exitCode().code();
  }
}
