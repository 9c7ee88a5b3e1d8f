package dev.slipway.kubernetes.health.custom;

import dev.slipway.kubernetes.health.HealthRule;
import java.util.Optional;

/**
 * A rule of the configuration, in Lua or in CEL.
 *
 * @param source where it was written: {@code rules/example.org/Widget/health.lua}
 * @param objectName the only object that it judges; empty: every object of its kinds
 */
public record CustomRule(
    String source, KindPattern pattern, Optional<String> objectName, HealthRule rule) {
  public static CustomRule of(String source, KindPattern pattern, HealthRule rule) {
    return new CustomRule(source, pattern, Optional.empty(), rule);
  }
}
