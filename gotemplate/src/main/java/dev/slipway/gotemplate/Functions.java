package dev.slipway.gotemplate;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** An immutable set of functions, together with names that are refused for a stated reason. */
public final class Functions {
  /** No functions. */
  public static final Functions NONE = new Functions(Map.of(), Map.of());

  private final Map<String, Function> byName;
  private final Map<String, String> excluded;

  private Functions(Map<String, Function> byName, Map<String, String> excluded) {
    this.byName = byName;
    this.excluded = excluded;
  }

  /** The functions that every template has without being given them. */
  public static Functions builtIn() {
    return Builtins.ALL;
  }

  public static Functions of(Function... functions) {
    return NONE.plus(functions);
  }

  public static Functions of(Collection<Function> functions) {
    return NONE.plus(functions.toArray(Function[]::new));
  }

  /** These functions and the given ones; a given one replaces one of the same name. */
  public Functions plus(Function... functions) {
    Map<String, Function> all = new LinkedHashMap<>(byName);
    Map<String, String> stillExcluded = new LinkedHashMap<>(excluded);
    for (Function function : functions) {
      all.put(function.name(), function);
      stillExcluded.remove(function.name());
    }
    return new Functions(all, stillExcluded);
  }

  /** These functions and those of the other set; the other set wins, its exclusions included. */
  public Functions plus(Functions other) {
    Map<String, Function> all = new LinkedHashMap<>(byName);
    all.putAll(other.byName);
    all.keySet().removeAll(other.excluded.keySet());
    Map<String, String> refused = new LinkedHashMap<>(excluded);
    refused.keySet().removeAll(other.byName.keySet());
    refused.putAll(other.excluded);
    return new Functions(all, refused);
  }

  /** Without these names, which become unknown. */
  public Functions without(String... names) {
    Map<String, Function> rest = new LinkedHashMap<>(byName);
    rest.keySet().removeAll(List.of(names));
    return new Functions(rest, excluded);
  }

  /** Without these names; a template that uses one of them is refused with the reason. */
  public Functions excluding(String reason, String... names) {
    Functions rest = without(names);
    Map<String, String> more = new LinkedHashMap<>(excluded);
    for (String name : names) {
      more.put(name, reason);
    }
    return new Functions(rest.byName, more);
  }

  /** The function of the first name under the second name instead. */
  public Functions rename(String from, String to) {
    return without(from).plus(existing(from).named(to));
  }

  public Optional<Function> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Why a name is refused. */
  public Optional<String> exclusion(String name) {
    return Optional.ofNullable(excluded.get(name));
  }

  /** All functions, ordered by name. */
  public Collection<Function> all() {
    return List.copyOf(new TreeMap<>(byName).values());
  }

  /** Refused names with their reasons, ordered by name. */
  public Map<String, String> excluded() {
    return java.util.Collections.unmodifiableMap(new TreeMap<>(excluded));
  }

  private Function existing(String name) {
    return find(name)
        .orElseThrow(() -> new IllegalArgumentException("there is no function " + name));
  }
}
