package dev.slipway.steps.sql;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The databases that sql steps may use, by the name that workflows give them. */
public final class SqlConnections {
  /** How to reach one. */
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

  /** Gives the target at the moment a step needs it; the server there may have to be started. */
  @FunctionalInterface
  public interface Lookup {
    /** Waits until the target can be used. */
    Target target() throws UnavailableException, InterruptedException;
  }

  /** A target that cannot be used now. */
  public static final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    /** For that reason. */
    public UnavailableException(String message) {
      super(message);
    }
  }

  private final Map<String, Lookup> byName;
  private final Optional<StateDatabase> state;

  /** Of these; no step is connected to {@code state}. */
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
