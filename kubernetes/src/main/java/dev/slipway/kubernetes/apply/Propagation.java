package dev.slipway.kubernetes.apply;

import java.util.Locale;

/** What happens to the objects that a deleted one owns. */
public enum Propagation {
  /** They go first. */
  FOREGROUND,
  /** They go afterwards. */
  BACKGROUND,
  /** They stay. */
  ORPHAN;

  /** As Kubernetes writes it. */
  String word() {
    return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
  }
}
