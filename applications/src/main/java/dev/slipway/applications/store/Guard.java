package dev.slipway.applications.store;

import dev.slipway.applications.plan.KnownResource;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.postgres.environments.EnvironmentRow;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * Refuses what no approved plan describes in an environment that takes changes only under one. Only
 * a row that grants exactly the plan in force counts; a missing row is a no.
 */
record Guard(ApplicationContext context, Handle handle) {
  boolean covers(EnvironmentRow environment) {
    return environment.guarded(context.config().get());
  }

  boolean covers(String environment) {
    return EnvironmentRow.guarded(handle, context.config().get(), environment);
  }

  /** Refuses the end of a resource that no application asks for: no plan describes it. */
  void refuseUnplanned(KnownResource resource) {
    refuse(environmentOf(resource), "no plan describes the end of '" + resource.name() + "'");
  }

  private String environmentOf(KnownResource resource) {
    return handle
        .createQuery("SELECT environment FROM resources WHERE id = ?")
        .bind(0, resource.id())
        .mapTo(String.class)
        .one();
  }

  private void refuse(String environment, String what) {
    if (covers(environment)) {
      throw RefusedException.conflict(
          "approval-required",
          "the environment '"
              + environment
              + "' takes changes only under an approved plan: "
              + what,
          "Deploy the application's Score file: that makes a plan and asks for its approval.");
    }
  }

  /** Refuses to continue a plan that was not approved, or a change that it does not contain. */
  void refuseUnapproved(KnownResource resource, Resources.Again again) {
    String environment = environmentOf(resource);
    if (again.by() == Resources.Again.By.LATEST) {
      refuse(environment, "a retry by the newest definition was not approved");
    }
    if (!approved(resource.owner())) {
      refuse(environment, "the deployment in force was not approved");
    }
  }

  private boolean approved(UUID application) {
    return handle
        .createQuery(
            """
            SELECT a.id IS NOT NULL
              FROM (SELECT id, plan_hash, approval_id FROM deployments
                     WHERE application_id = :application AND applied_at IS NOT NULL
                     ORDER BY applied_at DESC, id DESC LIMIT 1) d
              LEFT JOIN approvals a ON a.id = d.approval_id AND a.kind = 'plan'
                   AND a.deployment_id = d.id AND a.hash = d.plan_hash AND a.state = 'granted'
            """)
        .bind("application", application)
        .mapTo(Boolean.class)
        .findOne()
        .orElse(false);
  }
}
