package dev.slipway.web.kind;

import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Route;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    for (Kind row : rows) {
      row.words().stream().distinct().forEach(word -> claim(words, word, row));
      if (row.nodePrefix() != null) {
        claim(prefixes, row.nodePrefix(), row);
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
    return Answer.ok(Map.of("data", rows));
  }
}
