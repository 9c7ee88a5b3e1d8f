package dev.slipway.kubernetes.health.assess;

import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.Optional;

/**
 * What the rules say about an object.
 *
 * @param health empty: the object has none
 * @param rule which rule said so; {@code none} without one
 */
public record RuleVerdict(Optional<ObjectHealth> health, String rule) {}
