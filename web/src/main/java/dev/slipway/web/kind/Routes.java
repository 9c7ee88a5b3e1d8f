package dev.slipway.web.kind;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Where clients find objects of a kind, as URI templates (RFC 6570: {@code {name}}, {@code
 * {?environment}}, {@code {&orphan}}). Variables are fields of the object, or what the caller
 * filters and chooses by. A kind leaves out what it does not have.
 */
public record Routes(Map<Verb, String> templates) {
  static final Routes NONE = new Routes(Map.of());

  public Routes {
    Map<Verb, String> sorted = new EnumMap<>(Verb.class);
    sorted.putAll(templates);
    templates = Collections.unmodifiableMap(sorted);
  }

  public Optional<String> of(Verb verb) {
    return Optional.ofNullable(templates.get(verb));
  }

  Routes with(Verb verb, String template) {
    Map<Verb, String> more = new EnumMap<>(Verb.class);
    more.putAll(templates);
    more.put(verb, template);
    return new Routes(more);
  }

  Routes only(Predicate<String> known) {
    Map<Verb, String> left = new EnumMap<>(Verb.class);
    templates.forEach(
        (verb, template) -> {
          if (known.test(template)) {
            left.put(verb, template);
          }
        });
    return new Routes(left);
  }
}
