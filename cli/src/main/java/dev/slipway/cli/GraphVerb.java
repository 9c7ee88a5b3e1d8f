package dev.slipway.cli;

import dev.slipway.cli.kinds.Kind;
import dev.slipway.cli.kinds.Kind.Operation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the graph of an object or a node. */
@Command(
    name = "graph",
    description = {
      "Prints the graph of APP, or the graph around an object of KIND or a NODE.",
      "One word is an application, two (or KIND/NAME) are a kind and a name, a word with a colon is a"
          + " node."
    },
    footer = {
      "",
      "  slipway graph shop --format mermaid",
      "  slipway graph run 01a1…                     its steps, the runs they called, its rollback",
      "  slipway graph provider:postgres"
    })
final class GraphVerb extends KindVerb {
  /** What the server can export, and a tree for terminals. */
  enum Shape {
    tree,
    mermaid,
    dot,
    json,
    svg
  }

  @Parameters(index = "0", paramLabel = "APP|NODE|KIND")
  String first;

  @Parameters(index = "1", paramLabel = "NAME", arity = "0..1")
  @Nullable String name;

  @Option(names = "--format", paramLabel = "FORMAT", description = "${COMPLETION-CANDIDATES}")
  Shape format = Shape.tree;

  @Override
  public Integer call() throws Exception {
    if (isNode(first)) {
      String graph = path("nodes", first, "graph");
      print(format == Shape.tree ? graph : graph + "/export?format=" + format);
      return ExitCode.OK.code();
    }
    KindObjects objects = objects();
    Operation operation = format == Shape.tree ? Operation.GRAPH : Operation.EXPORT;
    Optional<Pair> pair = pair(first, name);
    Kind kind = pair.isEmpty() ? objects.alone() : first(objects, pair.get().kind());
    objects.template(kind, Operation.GRAPH);
    Map<String, Object> values =
        new LinkedHashMap<>(
            pair.isEmpty()
                ? Map.of(kind.key(), first, "environment", environment())
                : objects.named(kind, pair.get().name(), environment()));
    values.put("format", format.name());
    print(objects.address(kind, operation, values));
    return ExitCode.OK.code();
  }

  private void print(String address) throws InterruptedException {
    if (format == Shape.tree) {
      tree(api().get(address));
      return;
    }
    String text = api().text(address, Map.of());
    out.print(text.endsWith("\n") ? text : text + "\n");
  }

  private void tree(Map<String, Object> graph) {
    switch (format(Format.TABLE)) {
      case JSON, YAML -> show(graph, "id");
      case NAME -> Api.items(graph.get("nodes")).forEach(n -> out.println(n.get("id")));
      case TABLE, WIDE -> GraphTree.lines(screen(), graph).forEach(out::println);
    }
  }
}
