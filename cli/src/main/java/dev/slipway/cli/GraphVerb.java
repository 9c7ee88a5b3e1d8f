package dev.slipway.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints an application's graph. */
@Command(name = "graph", description = "Prints the graph of APP.")
final class GraphVerb extends PlacedVerb {
  /** What the server can export, and a tree for terminals. */
  enum Shape {
    tree,
    mermaid,
    dot,
    json,
    svg
  }

  @Parameters(paramLabel = "APP")
  String application;

  @Option(names = "--format", paramLabel = "FORMAT", description = "${COMPLETION-CANDIDATES}")
  Shape format = Shape.tree;

  @Override
  public Integer call() throws Exception {
    if (format == Shape.tree) {
      tree(api().get(path("graph", application), Api.query("environment", environment())));
    } else {
      String text =
          api()
              .text(
                  path("graph", application, "export"),
                  Api.query("environment", environment(), "format", format.name()));
      out.print(text.endsWith("\n") ? text : text + "\n");
    }
    return ExitCode.OK.code();
  }

  private void tree(Map<String, Object> graph) {
    switch (format(Format.TABLE)) {
      case JSON, YAML -> show(graph, "id");
      case NAME -> Api.items(graph.get("nodes")).forEach(n -> out.println(n.get("id")));
      case TABLE, WIDE -> new GraphTree(screen()).lines(graph).forEach(out::println);
    }
  }
}
