package dev.slipway.steps.sql;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The databases that sql steps may use, by the name that workflows give them. */
public final class SqlConnections {
  /** How to reach one. */
  public record Target(String url, String username, String password) {
    @Override
    public String toString() {
      return url;
    }
  }

  private final Map<String, Target> byName;

  /** Of these. */
  public SqlConnections(Map<String, Target> byName) {
    this.byName = new TreeMap<>(byName);
  }

  Optional<Target> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  Set<String> names() {
    return byName.keySet();
  }
}
