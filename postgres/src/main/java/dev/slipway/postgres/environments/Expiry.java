package dev.slipway.postgres.environments;

import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.graph.Event;
import dev.slipway.postgres.Transactions;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.runs.PlannedRuns;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends environments that have a time to live: says so one hour before, then tears down what is
 * inside. Also removes environments whose deletion waits for what is inside, and ends approvals of
 * planned runs that came to no decision in time.
 */
final class Expiry {
  private static final Logger LOG = LoggerFactory.getLogger(Expiry.class);

  /** As clients of the first version know it. */
  private static final String SOURCE = "environments";

  private static final Duration NOTICE = Duration.ofHours(1);

  private final Transactions transactions;
  private final InstantSource clock;
  private final PlannedRuns planned;
  private final EnvironmentStore environments;
  private final List<Occupant> occupants;

  Expiry(EnvironmentStore.Parts parts, List<Occupant> occupants, PlannedRuns planned) {
    this.transactions = parts.transactions();
    this.clock = parts.clock();
    this.planned = planned;
    this.environments = new EnvironmentStore(parts, occupants);
    this.occupants = List.copyOf(occupants);
  }

  void enforce() {
    Instant now = clock.instant();
    planned.expire(now);
    List<EnvironmentRow> ending =
        transactions.read(
            h ->
                h.createQuery(
                        "SELECT "
                            + EnvironmentRow.COLUMNS
                            + " FROM environments WHERE deleting OR expires_at <= :soon"
                            + " ORDER BY name")
                    .bind("soon", now.plus(NOTICE))
                    .map((rs, _) -> EnvironmentRow.map(rs))
                    .list());
    for (EnvironmentRow environment : ending) {
      if (!environment.expiryAnnounced() && environment.expiresAt() != null) {
        announce(environment);
      }
      if (environment.deleting()) {
        tearDown(environment, Caller.system("slipway"));
        removeEmpty(environment.name());
      } else if (environment.expiresAt() != null && !environment.expiresAt().isAfter(now)) {
        tearDown(environment, Caller.TTL);
      }
    }
  }

  /** One with rows of a branch that is absent stays until a replica with the branch removes it. */
  private void removeEmpty(String name) {
    try {
      environments.removeEmpty(name);
    } catch (RefusedException e) {
      LOG.info("the environment {} stays: {}", name, e.getMessage());
    }
  }

  private void announce(EnvironmentRow environment) {
    transactions.run(
        h -> {
          int announced =
              h.execute(
                  "UPDATE environments SET expiry_announced = true"
                      + " WHERE name = ? AND NOT expiry_announced",
                  environment.name());
          if (announced == 1) {
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("environment", environment.name());
            data.put("expiresAt", String.valueOf(environment.expiresAt()));
            EventLog.append(
                h,
                List.of(
                    new Event(
                        "environment.expiring",
                        null,
                        environment.name(),
                        environment.team(),
                        SOURCE,
                        clock.instant(),
                        data)));
          }
          return announced;
        });
  }

  private void tearDown(EnvironmentRow environment, Caller caller) {
    occupants.forEach(o -> o.tearDown(environment.name(), caller));
  }
}
