package dev.slipway.postgres.applications;

import dev.slipway.engine.lifecycle.Event;
import dev.slipway.engine.progress.Caller;
import dev.slipway.engine.progress.RefusedException;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.runs.PlannedRuns;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what has a time to live: says so one hour before, then tears the environment's applications
 * down, the newest first. Also removes environments whose deletion waits for their last
 * application, and ends approvals of planned runs that came to no decision in time.
 */
final class Expiry {
  private static final Logger LOG = LoggerFactory.getLogger(Expiry.class);
  private static final Duration NOTICE = Duration.ofHours(1);

  private final Ground ground;
  private final ApplicationStore applications;
  private final EnvironmentStore environments;

  Expiry(Ground ground, ApplicationStore applications) {
    this.ground = ground;
    this.applications = applications;
    this.environments = new EnvironmentStore(ground);
  }

  void enforce() {
    Instant now = ground.now();
    new PlannedRuns(ground.jdbi(), ground.box(), ground.ids()).expire(now);
    List<EnvironmentRow> ending =
        ground.read(
            h ->
                h.createQuery(
                        "SELECT "
                            + EnvironmentRow.COLUMNS
                            + " FROM environments WHERE deleting OR expires_at <= :soon"
                            + " ORDER BY name")
                    .bind("soon", now.plus(NOTICE))
                    .map((rs, context) -> EnvironmentRow.map(rs))
                    .list());
    for (EnvironmentRow environment : ending) {
      if (!environment.expiryAnnounced() && environment.expiresAt() != null) {
        announce(environment);
      }
      if (environment.deleting()) {
        tearDown(environment, Caller.system("slipway"));
        environments.removeEmpty(environment.name());
      } else if (environment.expiresAt() != null && !environment.expiresAt().isAfter(now)) {
        tearDown(environment, Caller.TTL);
      }
    }
  }

  private void announce(EnvironmentRow environment) {
    ground.transaction(
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
                        "applications",
                        ground.now(),
                        data)));
          }
          return announced;
        });
  }

  private void tearDown(EnvironmentRow environment, Caller caller) {
    List<String> living =
        ground.read(
            h ->
                h.createQuery(
                        """
                        SELECT a.name FROM applications a
                         WHERE a.environment = :name AND a.deleted_at IS NULL
                           AND coalesce((SELECT d.kind <> 'teardown' FROM deployments d
                                          WHERE d.application_id = a.id
                                          ORDER BY d.created_at DESC, d.id DESC LIMIT 1), true)
                         ORDER BY a.created_at DESC, a.id DESC
                        """)
                    .bind("name", environment.name())
                    .mapTo(String.class)
                    .list());
    for (String name : new ArrayList<>(living)) {
      try {
        applications.deprovision(
            caller,
            new Applications.Ref(name, environment.name()),
            new Applications.Teardown(
                Optional.of(name), Applications.Teardown.Leftovers.BY_POLICY, Optional.empty()));
      } catch (RefusedException e) {
        LOG.warn(
            "cannot tear down {} of the ended environment {}: {}",
            name,
            environment.name(),
            e.getMessage());
      }
    }
  }
}
