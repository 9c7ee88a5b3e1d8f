package dev.slipway.web.kind;

import dev.slipway.engine.graph.NodeKind;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Route;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The whole table: rows of the trunk and of all branches. */
public final class Kinds {
  private final List<Kind> rows;

  /** Two kinds that share a word or a prefix of nodes are a programming error. */
  public Kinds(List<Kind> rows) {
    this.rows = List.copyOf(rows);
    Map<String, String> words = new HashMap<>();
    Map<String, String> prefixes = new HashMap<>();
    Map<String, String> alone = new HashMap<>();
    for (Kind row : rows) {
      row.words().stream().distinct().forEach(word -> claim(words, word, row));
      row.nodes().forEach(node -> claim(prefixes, node.prefix(), row));
      if (row.naming() == Kind.Naming.ALONE) {
        claim(alone, "one word alone", row);
      }
    }
  }

  private static void claim(Map<String, String> taken, String word, Kind row) {
    String other = taken.putIfAbsent(word, row.name());
    if (other != null) {
      throw new IllegalArgumentException(
          "the kinds " + other + " and " + row.name() + " both claim '" + word + "'");
    }
  }

  /**
   * With links that lead to one of these routes only. A row of the trunk may link to a route of a
   * branch: a server without that branch shows the row without the link.
   */
  public Kinds linking(List<Route> served) {
    Set<String> paths = served.stream().map(r -> nameless(r.path())).collect(Collectors.toSet());
    return new Kinds(rows.stream().map(r -> r.linking(t -> paths.contains(nameless(t)))).toList());
  }

  /** The path of a template, whatever its variables are called. */
  private static String nameless(String template) {
    return template
        .replaceAll("\\{[?&][^}]*}", "")
        .replaceAll("\\?.*", "")
        .replaceAll("\\{[^}]+}", "{}");
  }

  public List<Kind> rows() {
    return rows;
  }

  /** {@code GET /api/kinds}. */
  public Route route() {
    return Route.get("/api/kinds")
        .signedIn()
        .named("listKinds", "Kinds of objects: names, routes, states, events, columns")
        .gives(200, "every kind of this server", "Kinds")
        .by(this::list);
  }

  private Answer list(Call call) {
    return Answer.ok(Map.of("data", rows.stream().map(Kinds::view).toList()));
  }

  private static Map<String, Object> view(Kind kind) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", kind.name());
    out.put("plural", kind.plural());
    out.put("shortNames", kind.shortNames());
    out.put("naming", kind.naming());
    out.put("scope", kind.scope());
    out.put("nodes", kind.nodes().stream().map(NodeKind::prefix).toList());
    out.put("key", kind.key());
    out.put("labels", kind.labels());
    out.put("routes", words(kind.routes().templates()));
    out.put("instead", words(kind.instead()));
    out.put("states", kind.states());
    out.put("events", kind.events().types());
    out.put("eventField", kind.events().field());
    out.put("columns", kind.columns());
    out.values().removeIf(Objects::isNull);
    return out;
  }

  private static Map<String, String> words(Map<Verb, String> byVerb) {
    Map<String, String> out = new LinkedHashMap<>();
    byVerb.forEach((verb, text) -> out.put(verb.text(), text));
    return out;
  }
}
