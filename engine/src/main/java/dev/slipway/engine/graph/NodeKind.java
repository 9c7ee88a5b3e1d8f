package dev.slipway.engine.graph;

import java.util.regex.Pattern;

/**
 * A kind of node; the branch that brings it owns the prefix.
 *
 * @param prefix what the text of a reference begins with: {@code resource}
 * @param type how users call the kind: {@code resource}, {@code package revision}
 */
public record NodeKind(String prefix, String type, Scope scope) {
  private static final Pattern PREFIX = Pattern.compile("[a-z][a-z0-9-]*");

  /** Where names of a kind are unique. */
  public enum Scope {
    /** In the whole installation. */
    INSTALLATION,
    /** In one environment. */
    ENVIRONMENT
  }

  public NodeKind {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException("not a prefix of node references: " + prefix);
    }
  }

  /** A node of this kind, in the environment {@code default} if kinds like it live in one. */
  public NodeRef ref(String name) {
    return ref(name, NodeRef.DEFAULT_ENVIRONMENT);
  }

  /** A node of this kind; a kind of the whole installation leaves the environment out. */
  public NodeRef ref(String name, String environment) {
    return new NodeRef(
        prefix, name, scope == Scope.ENVIRONMENT ? environment : NodeRef.DEFAULT_ENVIRONMENT);
  }
}
