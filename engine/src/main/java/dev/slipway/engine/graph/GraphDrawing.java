package dev.slipway.engine.graph;

import dev.slipway.engine.graph.Graph.Edge;
import dev.slipway.engine.graph.Graph.Node;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A graph as a picture: layers from left to right, what depends on something right of it. */
final class GraphDrawing {
  private static final int WIDTH = 190;
  private static final int HEIGHT = 46;
  private static final int GAP_X = 70;
  private static final int GAP_Y = 18;
  private static final int MARGIN = 20;
  private static final int LONGEST = 26;

  private record Place(int x, int y) {}

  private final Graph graph;
  private final Map<NodeRef, Place> places = new HashMap<>();
  private int width = 2 * MARGIN;
  private int height = 2 * MARGIN;

  GraphDrawing(Graph graph) {
    this.graph = graph;
    Map<NodeRef, Set<NodeRef>> after = new TreeMap<>();
    graph.nodes().forEach(n -> after.put(n.ref(), new TreeSet<>()));
    for (Edge edge : graph.edges()) {
      // Contents stand right of what contains them; a dependent right of its dependency.
      if (edge.relation() == Relation.DEPENDS_ON) {
        of(after, edge.from()).add(edge.to());
      } else {
        of(after, edge.to()).add(edge.from());
      }
    }
    List<List<NodeRef>> levels = Dag.of(after).levels();
    for (int column = 0; column < levels.size(); column++) {
      for (int row = 0; row < levels.get(column).size(); row++) {
        place(levels.get(column).get(row), column, row);
      }
    }
  }

  private static Set<NodeRef> of(Map<NodeRef, Set<NodeRef>> after, NodeRef node) {
    return Objects.requireNonNull(after.get(node), "both ends of an edge are nodes of the graph");
  }

  private void place(NodeRef ref, int column, int row) {
    Place place = new Place(MARGIN + column * (WIDTH + GAP_X), MARGIN + row * (HEIGHT + GAP_Y));
    places.put(ref, place);
    width = Math.max(width, place.x() + WIDTH + MARGIN);
    height = Math.max(height, place.y() + HEIGHT + MARGIN);
  }

  String svg() {
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            .formatted(width, height));
    svg.append(
        " viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
            .formatted(width, height));
    svg.append(
        "<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\"");
    svg.append(" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#667\"/>");
    svg.append("</marker></defs>\n");
    graph.edges().forEach(e -> edge(svg, e));
    graph.nodes().forEach(n -> node(svg, n));
    return svg.append("</svg>\n").toString();
  }

  private void edge(StringBuilder svg, Edge edge) {
    Place from = places.get(edge.from());
    Place to = places.get(edge.to());
    if (from == null || to == null) {
      return;
    }
    boolean right = to.x() >= from.x();
    int x1 = from.x() + (right ? WIDTH : 0);
    int x2 = to.x() + (right ? 0 : WIDTH);
    int y1 = from.y() + HEIGHT / 2;
    int y2 = to.y() + HEIGHT / 2;
    int middle = (x1 + x2) / 2;
    svg.append(
        "<path d=\"M%d %dC%d %d %d %d %d %d\"".formatted(x1, y1, middle, y1, middle, y2, x2, y2));
    svg.append(" fill=\"none\" stroke=\"#889\" marker-end=\"url(#a)\"");
    svg.append(edge.relation() == Relation.DEPENDS_ON ? " stroke-dasharray=\"5 3\"" : "");
    svg.append("><title>").append(edge.relation().text()).append("</title></path>\n");
  }

  private void node(StringBuilder svg, Node node) {
    Place place = places.get(node.ref());
    if (place == null) {
      return;
    }
    svg.append("<g><title>").append(escape(node.id())).append("</title>");
    svg.append(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"%s\" stroke=\"#667\"/>"
            .formatted(place.x(), place.y(), WIDTH, HEIGHT, StateColour.of(node.state()).fill()));
    line(svg, place, 19, shortened(node.type() + " " + node.name()));
    line(svg, place, 36, node.state() == null ? "" : node.state());
    svg.append("</g>\n");
  }

  private static void line(StringBuilder svg, Place place, int down, String text) {
    if (!text.isEmpty()) {
      svg.append(
          "<text x=\"%d\" y=\"%d\" fill=\"#112\">".formatted(place.x() + 10, place.y() + down));
      svg.append(escape(text)).append("</text>");
    }
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
