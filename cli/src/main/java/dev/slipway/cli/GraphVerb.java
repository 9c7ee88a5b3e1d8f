package dev.slipway.cli;

import dev.slipway.cli.kinds.Kind;
import dev.slipway.cli.kinds.Kind.Operation;
import dev.slipway.engine.value.Json;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints an application's graph. */
@Command(
    name = "graph",
    description = {
      "Prints the graph of APP, or the graph around an object of KIND.",
      "One word is an application, two (or KIND/NAME) are a kind and a name."
    },
    footer = {"", "  slipway graph shop --format mermaid", "  slipway graph provider postgres"})
final class GraphVerb extends KindVerb {
  /** What the server can export, and a tree for terminals. */
  enum Shape {
    tree,
    mermaid,
    dot,
    json,
    svg
  }

  @Parameters(index = "0", paramLabel = "APP|KIND")
  String first;

  @Parameters(index = "1", paramLabel = "NAME", arity = "0..1")
  @Nullable String name;

  @Option(names = "--format", paramLabel = "FORMAT", description = "${COMPLETION-CANDIDATES}")
  Shape format = Shape.tree;

  @Override
  public Integer call() throws Exception {
    Optional<Pair> pair = pair(first, name);
    if (pair.isEmpty()) {
      print(path("graph", first) + "?environment=" + Api.encode(environment()));
      return ExitCode.OK.code();
    }
    KindObjects objects = objects();
    Kind kind = first(objects, pair.get().kind());
    objects.template(kind, Operation.GRAPH);
    Map<String, Object> object = objects.named(kind, pair.get().name(), environment());
    String address = objects.address(kind, Operation.GRAPH, object);
    if (format != Shape.tree && kind.scope() == Kind.Scope.INSTALLATION) {
      print(kind, api().get(address));
    } else {
      print(address);
    }
    return ExitCode.OK.code();
  }

  private void print(String address) throws InterruptedException {
    if (format == Shape.tree) {
      tree(api().get(address));
      return;
    }
    int query = address.indexOf('?');
    String path = query < 0 ? address : address.substring(0, query);
    String text =
        api()
            .text(
                path + "/export" + (query < 0 ? "" : address.substring(query)),
                Api.query("format", format.name()));
    out.print(text.endsWith("\n") ? text : text + "\n");
  }

  /** A graph that belongs to no application is not exported by the server. */
  private void print(Kind kind, Map<String, Object> graph) {
    if (format != Shape.json) {
      throw new Failure(
          ExitCode.USAGE,
          "graphs of " + kind.plural() + " have no format '" + format + "'",
          "They have: tree, json.");
    }
    out.println(Json.pretty(graph));
  }

  private void tree(Map<String, Object> graph) {
    switch (format(Format.TABLE)) {
      case JSON, YAML -> show(graph, "id");
      case NAME -> Api.items(graph.get("nodes")).forEach(n -> out.println(n.get("id")));
      case TABLE, WIDE -> new GraphTree(screen()).lines(graph).forEach(out::println);
    }
  }
}
