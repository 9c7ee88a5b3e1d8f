package dev.slipway.postgres.reconcile;

import java.util.Set;
import java.util.UUID;

/** Why a key has its turn. */
public sealed interface Wake {
  /** The runs that have begun or ended since the turn before. */
  Set<UUID> runs();

  /** The timer was due, or a signal named no item. */
  record Everything(Set<UUID> runs) implements Wake {}

  /** Only these items have changed. */
  record Items(Set<String> items, Set<UUID> runs) implements Wake {}
}
