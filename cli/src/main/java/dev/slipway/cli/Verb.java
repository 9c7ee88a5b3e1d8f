package dev.slipway.cli;

import dev.slipway.engine.value.Json;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A verb: reaches the server and prints results. Data on stdout, messages on stderr. */
abstract class Verb implements Callable<Integer> {
  @Spec CommandSpec spec;
  final PrintStream out = System.out;
  final PrintStream err = System.err;

  Slipway root() {
    return (Slipway) spec.root().userObject();
  }

  Screen screen() {
    return Screen.of(System.getenv(), root().noColour);
  }

  ClientSettings settings() {
    return root().settings(environmentFlag());
  }

  /** The verb's own {@code --environment}, when it has one. */
  @Nullable String environmentFlag() {
    return null;
  }

  Api api() {
    return root().api(settings());
  }

  String environment() {
    return settings().environment().orElse("default");
  }

  Format format(Format usual) {
    String asked = root().output;
    if (asked == null) {
      return usual;
    }
    try {
      return Format.valueOf(asked.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new Failure(
          ExitCode.USAGE,
          "'" + asked + "' is no format",
          "Formats: table, wide, json, yaml, name.");
    }
  }

  /** A list: a table unless asked otherwise. */
  void show(List<Map<String, Object>> rows, Table table, String nameKey, String whenEmpty) {
    Format format = format(Format.TABLE);
    switch (format) {
      case JSON -> out.println(Json.pretty(rows));
      case YAML -> out.print(Yaml.write(rows));
      case NAME -> rows.forEach(r -> out.println(r.get(nameKey)));
      case TABLE, WIDE -> {
        if (rows.isEmpty()) {
          err.println(whenEmpty);
        } else {
          table.lines(rows, format, screen()).forEach(out::println);
        }
      }
    }
  }

  /** One object: YAML unless asked otherwise. */
  void show(Map<String, Object> object, String nameKey) {
    switch (format(Format.YAML)) {
      case JSON -> out.println(Json.pretty(object));
      case NAME -> out.println(object.get(nameKey));
      case YAML, TABLE, WIDE -> out.print(Yaml.write(object));
    }
  }

  /** The deployment waits for an approval: prints who may decide, and what about. */
  int waitsForApproval(String application, Map<String, Object> reply) {
    err.println(application + " waits for an approval: slipway approve " + reply.get("approvalId"));
    return ExitCode.WAITING_FOR_APPROVAL.code();
  }

  static String path(String... segments) {
    StringBuilder path = new StringBuilder("/api");
    for (String segment : segments) {
      path.append('/').append(Api.encode(segment));
    }
    return path.toString();
  }
}
