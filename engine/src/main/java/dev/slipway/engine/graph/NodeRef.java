package dev.slipway.engine.graph;

import java.util.Optional;

/**
 * Names one node. Its text is canonical: {@code prefix:name}, followed by {@code @environment} for
 * nodes that live in another environment than {@code default}. Two references are equal exactly if
 * their texts are.
 *
 * @param prefix of the node's {@link NodeKind}
 * @param name of the node, as its branch names it: {@code postgres.default#shop.db}
 */
public record NodeRef(String prefix, String name, String environment)
    implements Comparable<NodeRef> {
  /** The environment that a text leaves out. */
  public static final String DEFAULT_ENVIRONMENT = "default";

  public NodeRef {
    if (prefix.isEmpty() || prefix.indexOf(':') >= 0) {
      throw new IllegalArgumentException("not a prefix of node references: '" + prefix + "'");
    }
    if (name.isEmpty() || environment.isEmpty() || environment.indexOf('@') >= 0) {
      throw new IllegalArgumentException(
          "a node needs a name and an environment: '" + name + "', '" + environment + "'");
    }
  }

  /** Reads a canonical text; empty if it is none. */
  public static Optional<NodeRef> parse(String text) {
    int colon = text.indexOf(':');
    int at = text.lastIndexOf('@');
    if (colon < 1) {
      return Optional.empty();
    }
    String name = at > colon ? text.substring(colon + 1, at) : text.substring(colon + 1);
    String environment = at > colon ? text.substring(at + 1) : DEFAULT_ENVIRONMENT;
    if (name.isEmpty() || environment.isEmpty()) {
      return Optional.empty();
    }
    NodeRef ref = new NodeRef(text.substring(0, colon), name, environment);
    return ref.text().equals(text) ? Optional.of(ref) : Optional.empty();
  }

  /** The canonical text. A name with an {@code @} always names its environment. */
  public String text() {
    boolean bare = environment.equals(DEFAULT_ENVIRONMENT) && name.indexOf('@') < 0;
    return prefix + ":" + name + (bare ? "" : "@" + environment);
  }

  /** Whether it is of that kind. */
  public boolean is(NodeKind kind) {
    return prefix.equals(kind.prefix());
  }

  @Override
  public int compareTo(NodeRef other) {
    int order = prefix.compareTo(other.prefix);
    order = order != 0 ? order : name.compareTo(other.name);
    return order != 0 ? order : environment.compareTo(other.environment);
  }

  @Override
  public String toString() {
    return text();
  }
}
