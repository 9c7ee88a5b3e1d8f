package dev.slipway.web.kind;

import dev.slipway.engine.graph.NodeKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A row being written down. */
public final class KindDraft {
  private final String name;
  private final String plural;
  private final NodeKind.Scope scope;
  private List<String> shortNames = List.of();
  private Kind.Naming naming = Kind.Naming.WITH_KIND;
  private List<NodeKind> nodes = List.of();
  private String key = "name";
  private final List<NamePart> labels = new ArrayList<>();
  private Routes routes = Routes.NONE;
  private final Map<Verb, String> instead = new EnumMap<>(Verb.class);
  private @Nullable States states;
  private EventTypes events = EventTypes.NONE;
  private final List<Column> columns = new ArrayList<>();

  KindDraft(String name, String plural, NodeKind.Scope scope) {
    this.name = name;
    this.plural = plural;
    this.scope = scope;
  }

  /** In the singular. */
  public String name() {
    return name;
  }

  public KindDraft shortNames(String... words) {
    shortNames = List.of(words);
    return this;
  }

  /** One word alone names an object of it. */
  public KindDraft alone() {
    naming = Kind.Naming.ALONE;
    return this;
  }

  /** An object of it is a node of the first kind; the other kinds are parts of it. */
  public KindDraft nodes(NodeKind... kinds) {
    nodes = List.of(kinds);
    return this;
  }

  /** Routes name an object by this field; {@code name} if nothing else is said. */
  public KindDraft key(String field) {
    key = field;
    return this;
  }

  /** People name an object by this field, too; the list's variable {@code filter} finds it. */
  public KindDraft label(String field, String filter) {
    labels.add(new NamePart(field, filter));
    return this;
  }

  /** People name an object by this field, too. */
  public KindDraft label(String field) {
    labels.add(new NamePart(field, null));
    return this;
  }

  public KindDraft list(String template) {
    return route(Verb.LIST, template);
  }

  public KindDraft get(String template) {
    return route(Verb.GET, template);
  }

  public KindDraft delete(String template) {
    return route(Verb.DELETE, template);
  }

  public KindDraft explain(String template) {
    return route(Verb.EXPLAIN, template);
  }

  /** Its graph, and the same as text where the variable {@code format} chooses how. */
  public KindDraft graph(String template, String export) {
    return route(Verb.GRAPH, template).route(Verb.EXPORT, export);
  }

  private KindDraft route(Verb verb, String template) {
    routes = routes.with(verb, template);
    return this;
  }

  /** The verb makes no sense for it: why not, and what to use instead. */
  public KindDraft without(Verb verb, String sentence) {
    instead.put(verb, sentence);
    return this;
  }

  public KindDraft states(String field, List<String> done, List<String> failed) {
    states = new States(field, done, failed);
    return this;
  }

  /** Events of these types, in that stream, are about the object whose node they name. */
  public KindDraft events(String stream, String... types) {
    events = new EventTypes(List.of(types), events.field());
    return route(Verb.EVENTS, stream);
  }

  /** Events are about the object whose key is in this field of their data. */
  public KindDraft namedBy(String field) {
    events = new EventTypes(events.types(), field);
    return this;
  }

  public KindDraft column(String title, String field) {
    return column(new Column(title, field, Column.Shown.ALWAYS, Column.Form.TEXT));
  }

  public KindDraft column(String title, String field, Column.Form form) {
    return column(new Column(title, field, Column.Shown.ALWAYS, form));
  }

  /** Shown only in wide lists. */
  public KindDraft wide(String title, String field) {
    return column(new Column(title, field, Column.Shown.WIDE, Column.Form.TEXT));
  }

  private KindDraft column(Column column) {
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
