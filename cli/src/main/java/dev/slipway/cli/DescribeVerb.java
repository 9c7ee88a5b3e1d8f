package dev.slipway.cli;

import dev.slipway.cli.kinds.Kind;
import dev.slipway.cli.kinds.Kind.Operation;
import dev.slipway.engine.value.Json;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows everything about objects of a kind, with their last events. */
@Command(
    name = "describe",
    description = "Shows all fields of an object of KIND, and its last events.",
    footer = {
      "",
      "  slipway describe app shop",
      "  slipway describe resource shop/db",
      "With -o json or yaml it prints what 'slipway get' does."
    })
final class DescribeVerb extends KindVerb {
  @Parameters(index = "0", paramLabel = "KIND")
  String kind;

  @Parameters(index = "1..*", paramLabel = "NAME", arity = "0..*")
  List<String> names = List.of();

  @Option(
      names = "--events",
      paramLabel = "N",
      description = "How many of the last events (10); 0 for none.")
  int events = 10;

  @Override
  public Integer call() throws Exception {
    KindObjects objects = objects();
    Subject subject = named(objects, kind, names);
    boolean first = true;
    for (String name : subject.names()) {
      if (!first) {
        out.println();
      }
      first = false;
      describe(objects, subject.kind(), objects.named(subject.kind(), name, environment()));
    }
    return ExitCode.OK.code();
  }

  private void describe(KindObjects objects, Kind kind, Map<String, Object> object)
      throws InterruptedException {
    switch (format(Format.TABLE)) {
      case JSON -> out.println(Json.pretty(object));
      case YAML -> out.print(Yaml.write(object));
      case NAME -> out.println(kind.keyOf(object));
      case TABLE, WIDE -> {
        new Description(objects.table(), screen()).of(kind, object).forEach(out::println);
        if (events > 0 && kind.route(Operation.EVENTS).isPresent()) {
          events(kind, object);
        }
      }
    }
  }

  private void events(Kind kind, Map<String, Object> object) throws InterruptedException {
    ObjectEvents.Last last = new ObjectEvents(api()).of(kind, object, events);
    out.println();
    if (last.events().isEmpty()) {
      out.println(screen().paint(Ink.BOLD, "Events:") + "  none are kept");
    } else {
      out.println(screen().paint(Ink.BOLD, "Events:"));
      ObjectEvents.table(kind, object)
          .lines(last.events(), Format.TABLE, screen())
          .forEach(line -> out.println("  " + line));
    }
    if (!last.whole()) {
      err.println("The log of events was too long to be read to its end: there may be later ones.");
    }
  }
}
