package dev.slipway.steps.sql;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The databases that sql steps may use, by their names in workflows. */
public final class SqlConnections {
  /** The address and the credentials of a database. */
  public record Target(String url, String username, String password) implements Lookup {
    @Override
    public Target target() {
      return this;
    }

    @Override
    public String toString() {
      return url;
    }
  }

  /** Looks the target up when a step needs it; its server may have to be started. */
  @FunctionalInterface
  public interface Lookup {
    /** Waits until the target can be used. */
    Target target() throws UnavailableException, InterruptedException;
  }

  /** A target that cannot be used now. */
  public static final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    public UnavailableException(String message) {
      super(message);
    }
  }

  private final Map<String, Lookup> byName;
  private final Optional<StateDatabase> state;

  /** {@code byName} holds the databases; no step is connected to {@code state}. */
  public SqlConnections(Map<String, ? extends Lookup> byName, Optional<StateDatabase> state) {
    this.byName = new TreeMap<>(byName);
    this.state = state;
  }

  Optional<Lookup> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  Set<String> names() {
    return byName.keySet();
  }

  Optional<StateDatabase> state() {
    return state;
  }
}
