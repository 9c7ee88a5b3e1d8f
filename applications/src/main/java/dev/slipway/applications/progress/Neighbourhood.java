package dev.slipway.applications.progress;

import java.util.Set;
import java.util.UUID;

/**
 * The part of an application that a decision about a few resources sees.
 *
 * @param items the resources that have changed
 * @param flipped those of them that were active before, or are active or deleted now
 * @param core resources whose dependencies are in the situation; if they are to be deleted, all
 *     their dependents too
 * @param expanded resources that are in the situation with the neighbours that {@link
 *     dev.slipway.applications.plan.KnownResource#waitsFor listen} to them, which are in the core
 */
public record Neighbourhood(
    Set<UUID> items, Set<UUID> flipped, Set<UUID> core, Set<UUID> expanded) {

  public Neighbourhood {
    items = Set.copyOf(items);
    flipped = Set.copyOf(flipped);
    core = Set.copyOf(core);
    expanded = Set.copyOf(expanded);
  }
}
