package dev.slipway.web.kind;

import dev.slipway.engine.graph.NodeKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table of kinds.
 *
 * @param name in the singular, as people write it: {@code golden-path}
 * @param shortNames what else stands for it on a command line
 * @param naming whether one word alone on a command line, without a kind, names an object of it
 * @param scope where its names are unique
 * @param nodes of the graph that show its objects: first the one that an object's field {@code
 *     node} names, then parts of it; empty if there are none
 * @param key the field that its routes name an object by
 * @param labels how people name an object; empty if they use the key
 * @param instead sentences for verbs that make no sense for it: why not, and what to use
 * @param states null if there is nothing to wait for
 */
public record Kind(
    String name,
    String plural,
    List<String> shortNames,
    Naming naming,
    NodeKind.Scope scope,
    List<NodeKind> nodes,
    String key,
    List<NamePart> labels,
    Routes routes,
    Map<Verb, String> instead,
    @Nullable States states,
    EventTypes events,
    List<Column> columns) {
  private static final Pattern WORD = Pattern.compile("[a-z][a-z0-9-]*");

  /** How people name its objects. */
  public enum Naming {
    /** By the kind and the name. */
    WITH_KIND,
    /** By the name alone where no kind is given; at most one kind of a server. */
    ALONE
  }

  public Kind {
    shortNames = List.copyOf(shortNames);
    nodes = List.copyOf(nodes);
    labels = List.copyOf(labels);
    Map<Verb, String> sentences = new EnumMap<>(Verb.class);
    sentences.putAll(instead);
    instead = Collections.unmodifiableMap(sentences);
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

  /** The kind of node that an object of it is. */
  public Optional<NodeKind> node() {
    return nodes.stream().findFirst();
  }

  /** Whether the verb can be used with it. */
  public boolean takes(Verb verb) {
    return verb == Verb.WAIT
        ? states != null || routes.of(Verb.DELETE).isPresent()
        : routes.of(verb).isPresent();
  }

  /** The same without the templates that are not among these. */
  Kind linking(Predicate<String> known) {
    return new Kind(
        name,
        plural,
        shortNames,
        naming,
        scope,
        nodes,
        key,
        labels,
        routes.only(known),
        instead,
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
    private Naming naming = Naming.WITH_KIND;
    private List<NodeKind> nodes = List.of();
    private String key = "name";
    private final List<NamePart> labels = new ArrayList<>();
    private Routes routes = Routes.NONE;
    private final Map<Verb, String> instead = new EnumMap<>(Verb.class);
    private @Nullable States states;
    private EventTypes events = EventTypes.NONE;
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

    /** One word alone names an object of it. */
    public Draft alone() {
      naming = Naming.ALONE;
      return this;
    }

    /** An object of it is a node of the first kind; the other kinds are parts of it. */
    public Draft nodes(NodeKind... kinds) {
      nodes = List.of(kinds);
      return this;
    }

    /** Routes name an object by this field; {@code name} if nothing else is said. */
    public Draft key(String field) {
      key = field;
      return this;
    }

    /** People name an object by this field, too; the list's variable {@code filter} finds it. */
    public Draft label(String field, String filter) {
      labels.add(new NamePart(field, filter));
      return this;
    }

    /** People name an object by this field, too. */
    public Draft label(String field) {
      labels.add(new NamePart(field, null));
      return this;
    }

    public Draft list(String template) {
      return route(Verb.LIST, template);
    }

    public Draft get(String template) {
      return route(Verb.GET, template);
    }

    public Draft delete(String template) {
      return route(Verb.DELETE, template);
    }

    public Draft explain(String template) {
      return route(Verb.EXPLAIN, template);
    }

    /** Its graph, and the same as text where the variable {@code format} chooses how. */
    public Draft graph(String template, String export) {
      return route(Verb.GRAPH, template).route(Verb.EXPORT, export);
    }

    private Draft route(Verb verb, String template) {
      routes = routes.with(verb, template);
      return this;
    }

    /** The verb makes no sense for it: why not, and what to use instead. */
    public Draft without(Verb verb, String sentence) {
      instead.put(verb, sentence);
      return this;
    }

    public Draft states(String field, List<String> done, List<String> failed) {
      states = new States(field, done, failed);
      return this;
    }

    /** Events of these types, in that stream, are about the object whose node they name. */
    public Draft events(String stream, String... types) {
      events = new EventTypes(List.of(types), events.field());
      return route(Verb.EVENTS, stream);
    }

    /** Events are about the object whose key is in this field of their data. */
    public Draft namedBy(String field) {
      events = new EventTypes(events.types(), field);
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
          naming,
          scope,
          nodes,
          key,
          labels,
          routes,
          instead,
          states,
          events,
          columns);
    }
  }
}
