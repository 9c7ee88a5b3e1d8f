package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.Plan;
import dev.slipway.engine.lifecycle.State;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Where the resources of a plan stand now. */
final class ResourceStates {
  private ResourceStates() {}

  record StoredState(UUID id, ResourceState state) {}

  static Map<String, StoredState> byIdentity(
      Handle handle, String environment, String team, Plan plan) {
    Map<String, StoredState> states = new HashMap<>();
    handle
        .createQuery(
            // What was another team's and is gone left nothing but its name.
            "SELECT id, identity, state FROM resources WHERE environment = :environment"
                + " AND identity = ANY (:identities) AND (state <> 'deleted' OR team = :team)"
                + " ORDER BY id")
        .bind("environment", environment)
        .bind("team", team)
        .bindByType(
            "identities",
            plan.items().stream().map(Plan.Item::identity).toArray(String[]::new),
            String[].class)
        .map(
            (rs, _) ->
                Map.entry(
                    rs.getString("identity"),
                    new StoredState(
                        rs.getObject("id", UUID.class),
                        State.parse(ResourceState.class, rs.getString("state")))))
        .forEach(
            entry ->
                states.merge(
                    entry.getKey(),
                    entry.getValue(),
                    (one, other) -> other.state() == ResourceState.DELETED ? one : other));
    return states;
  }
}
