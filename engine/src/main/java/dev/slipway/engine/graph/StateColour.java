package dev.slipway.engine.graph;

import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a state looks like in a picture. Branches name the states of their nodes themselves (see
 * {@link NodeView#state}), so this is a table of words: a word that is not in it is plain.
 */
enum StateColour {
  WELL("#d8f3dc", "active", "succeeded"),
  BROKEN("#ffd6d6", "failed"),
  IMPAIRED("#ffe8cc", "degraded", "partial"),
  MOVING("#dbe9ff", "provisioning", "updating", "running", "waiting", "deprovisioning"),
  PLAIN("#f1f3f5");

  private final String fill;
  private final Set<String> states;

  StateColour(String fill, String... states) {
    this.fill = fill;
    this.states = Set.of(states);
  }

  static StateColour of(@Nullable String state) {
    return Arrays.stream(values())
        .filter(colour -> state != null && colour.states.contains(state))
        .findFirst()
        .orElse(PLAIN);
  }

  /** As an SVG picture writes it. */
  String fill() {
    return fill;
  }
}
