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
  public static KindDraft inEnvironments(String name, String plural) {
    return new KindDraft(name, plural, NodeKind.Scope.ENVIRONMENT);
  }

  /** A kind whose objects belong to the whole installation. */
  public static KindDraft ofInstallation(String name, String plural) {
    return new KindDraft(name, plural, NodeKind.Scope.INSTALLATION);
  }
}
