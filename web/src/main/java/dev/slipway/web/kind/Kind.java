package dev.slipway.web.kind;

import dev.slipway.engine.graph.NodeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table of kinds.
 *
 * @param name in the singular, as people write it: {@code golden-path}
 * @param shortNames what else stands for it on a command line
 * @param nodePrefix of its nodes in the graph; null if it is none there
 * @param key the field that its routes name an object by
 * @param labels how people name an object; empty if they use the key
 * @param states null if there is nothing to wait for
 * @param events types of the events about it; {@code run.*} stands for all that begin so
 */
public record Kind(
    String name,
    String plural,
    List<String> shortNames,
    NodeKind.Scope scope,
    @Nullable String nodePrefix,
    String key,
    List<Label> labels,
    Routes routes,
    @Nullable States states,
    List<String> events,
    List<Column> columns) {
  private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9-]*");

  public Kind {
    shortNames = List.copyOf(shortNames);
    labels = List.copyOf(labels);
    events = List.copyOf(events);
    columns = List.copyOf(columns);
    List<String> words = new ArrayList<>(shortNames);
    words.add(name);
    words.add(plural);
    for (String word : words) {
      if (!WORD.matcher(word).matches()) {
        throw new IllegalArgumentException("not a name of a kind: '" + word + "'");
      }
    }
  }

  /** Every word that stands for it. */
  public List<String> words() {
    List<String> words = new ArrayList<>(List.of(name, plural));
    words.addAll(shortNames);
    return words;
  }

  /** The same without the templates that are not among these. */
  Kind linking(Predicate<String> known) {
    return new Kind(
        name,
        plural,
        shortNames,
        scope,
        nodePrefix,
        key,
        labels,
        routes.only(known),
        states,
        events,
        columns);
  }

  /** A kind whose objects live in environments. */
  public static Draft inEnvironments(String name, String plural) {
    return new Draft(name, plural, NodeKind.Scope.ENVIRONMENT);
  }

  /** A kind whose objects belong to the whole installation. */
  public static Draft ofInstallation(String name, String plural) {
    return new Draft(name, plural, NodeKind.Scope.INSTALLATION);
  }

  /** A row being written down. */
  public static final class Draft {
    private final String name;
    private final String plural;
    private final NodeKind.Scope scope;
    private List<String> shortNames = List.of();
    private @Nullable String nodePrefix;
    private String key = "name";
    private final List<Label> labels = new ArrayList<>();
    private Routes routes = Routes.NONE;
    private @Nullable States states;
    private List<String> events = List.of();
    private final List<Column> columns = new ArrayList<>();

    private Draft(String name, String plural, NodeKind.Scope scope) {
      this.name = name;
      this.plural = plural;
      this.scope = scope;
    }

    public Draft shortNames(String... words) {
      shortNames = List.of(words);
      return this;
    }

    /** Objects of it are nodes of the graph, and their references begin with this. */
    public Draft node(String prefix) {
      nodePrefix = prefix;
      return this;
    }

    /** Routes name an object by this field; {@code name} if nothing else is said. */
    public Draft key(String field) {
      key = field;
      return this;
    }

    /** People name an object by this field, too; the list's variable {@code filter} finds it. */
    public Draft label(String field, String filter) {
      labels.add(new Label(field, filter));
      return this;
    }

    /** People name an object by this field, too. */
    public Draft label(String field) {
      labels.add(new Label(field, null));
      return this;
    }

    public Draft list(String template) {
      routes =
          new Routes(template, routes.get(), routes.delete(), routes.explain(), routes.graph());
      return this;
    }

    public Draft get(String template) {
      routes =
          new Routes(routes.list(), template, routes.delete(), routes.explain(), routes.graph());
      return this;
    }

    public Draft delete(String template) {
      routes = new Routes(routes.list(), routes.get(), template, routes.explain(), routes.graph());
      return this;
    }

    public Draft explain(String template) {
      routes = new Routes(routes.list(), routes.get(), routes.delete(), template, routes.graph());
      return this;
    }

    public Draft graph(String template) {
      routes = new Routes(routes.list(), routes.get(), routes.delete(), routes.explain(), template);
      return this;
    }

    public Draft states(String field, List<String> done, List<String> failed) {
      states = new States(field, done, failed);
      return this;
    }

    public Draft events(String... types) {
      events = List.of(types);
      return this;
    }

    public Draft column(String title, String field) {
      return column(new Column(title, field, Column.Shown.ALWAYS, Column.Form.TEXT));
    }

    public Draft column(String title, String field, Column.Form form) {
      return column(new Column(title, field, Column.Shown.ALWAYS, form));
    }

    /** Shown only in wide lists. */
    public Draft wide(String title, String field) {
      return column(new Column(title, field, Column.Shown.WIDE, Column.Form.TEXT));
    }

    private Draft column(Column column) {
      columns.add(column);
      return this;
    }

    public Kind row() {
      return new Kind(
          name,
          plural,
          shortNames,
          scope,
          nodePrefix,
          key,
          labels,
          routes,
          states,
          events,
          columns);
    }
  }
}
