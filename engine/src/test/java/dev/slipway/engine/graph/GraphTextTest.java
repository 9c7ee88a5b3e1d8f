package dev.slipway.engine.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.graph.Graph.Node;
import dev.slipway.engine.value.Json;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

class GraphTextTest {
  private static NodeRef ref(String text) {
    return NodeRef.parse(text).orElseThrow();
  }

  private static Graph graph(String nasty, int seed) {
    List<Node> nodes = new ArrayList<>();
    nodes.add(new Node(ref("spec:a"), "spec", nasty, "active", null, null, null, Map.of()));
    nodes.add(new Node(ref("resource:a:b"), "resource", "b", "failed", null, null, 5L, Map.of()));
    nodes.add(new Node(ref("resource:a:c"), "resource", "c", null, null, null, null, Map.of()));
    Collections.shuffle(nodes, new Random(seed));
    GraphBuilder builder = new GraphBuilder();
    nodes.forEach(builder::node);
    return builder
        .edge(ref("spec:a"), ref("resource:a:b"), Relation.CONTAINS)
        .edge(ref("spec:a"), ref("resource:a:c"), Relation.CONTAINS)
        .edge(ref("resource:a:c"), ref("resource:a:b"), Relation.DEPENDS_ON)
        .edge(ref("resource:a:c"), ref("no:where"), Relation.DEPENDS_ON)
        .build();
  }

  @Test
  void the_same_graph_is_the_same_text_in_every_format_whatever_the_order_it_was_built_in() {
    for (GraphFormat format : GraphFormat.values()) {
      String text = GraphText.write(graph("x", 0), format);
      for (int seed = 1; seed < 10; seed++) {
        assertThat(GraphText.write(graph("x", seed), format)).isEqualTo(text);
      }
    }
  }

  @Test
  void an_edge_into_nowhere_is_left_out() {
    assertThat(graph("x", 1).edges()).hasSize(3);
  }

  @Test
  void no_name_breaks_out_of_its_quotes() throws Exception {
    String nasty = "a\"]; x --> y\n<script>&'\\";
    Graph graph = graph(nasty, 1);
    assertThat(GraphText.write(graph, GraphFormat.MERMAID)).doesNotContain("<script>");
    assertThat(GraphText.write(graph, GraphFormat.DOT)).contains("a\\\"]; x --> y\\n");
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(
            new ByteArrayInputStream(
                GraphText.write(graph, GraphFormat.SVG).getBytes(StandardCharsets.UTF_8)));
    String json = GraphText.write(graph, GraphFormat.JSON);
    assertThat(GraphText.read(Json.readMap(json))).isEqualTo(graph);
  }
}
