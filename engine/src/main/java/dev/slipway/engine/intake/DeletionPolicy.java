package dev.slipway.engine.intake;

import java.util.Locale;
import java.util.Optional;

/** What happens to the real object when its resource is removed. */
public enum DeletionPolicy {
  DELETE,
  RETAIN,
  ORPHAN;

  public static final String ANNOTATION = "slipway.dev/deletion-policy";

  public static Optional<DeletionPolicy> parse(String word) {
    return Optional.ofNullable(Words.of(DeletionPolicy.class).get(word));
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
