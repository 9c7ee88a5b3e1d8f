package dev.slipway.applications.store;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.slipway.applications.explain.Explanation;
import dev.slipway.applications.plan.Plan;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.postgres.Page;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What can be asked about applications. Every method throws {@link
 * dev.slipway.engine.access.RefusedException} when the answer is no.
 */
public interface Applications {

  /** An application's name in an environment. */
  record Ref(String name, String environment) {}

  /**
   * A Score document and what comes with it.
   *
   * @param file what diagnostics call the document, {@code score.yaml}
   * @param environment of the request; empty: the one that the document names, else {@code default}
   * @param team owner of a new application; empty: the caller's only team
   * @param images image references by container, for containers whose image is {@code .}
   * @param planHash refuse unless exactly this would be done
   * @param replace names of resources that may be deleted and created anew
   * @param orphan names of removed resources whose real object is left alone
   * @param ifVersion the application's version that the caller has seen
   */
  record DeployRequest(
      byte[] score,
      String file,
      Optional<String> environment,
      Optional<String> team,
      Map<String, String> images,
      Optional<String> planHash,
      Mode mode,
      Set<String> replace,
      Set<String> orphan,
      Optional<Long> ifVersion) {
    /** Whether to do it or only to say what would be done. */
    public enum Mode {
      APPLY,
      DRY_RUN
    }
  }

  /**
   * The reply to a deployment, rollback or teardown; the work itself goes on afterwards.
   *
   * @param outcome whether the application is new (HTTP 201) or was there before (200)
   * @param changed false: nothing is different and nothing was started
   * @param deploymentId null only for a dry run, and when nothing was ever deployed
   * @param approvalId set when nothing happens before this approval is granted
   */
  record Accepted(
      @JsonIgnore Outcome outcome,
      String name,
      String environment,
      int revision,
      String status,
      boolean changed,
      @Nullable UUID deploymentId,
      String planHash,
      @Nullable UUID approvalId,
      long version,
      List<Item> resources,
      List<Diagnostic> warnings) {
    /** New or not. */
    public enum Outcome {
      CREATED,
      UPDATED
    }

    /** One resource; {@code id} is null in a dry run for what does not exist yet. */
    public record Item(String name, String type, @Nullable UUID id, String state, String change) {}
  }

  /**
   * An application as it is.
   *
   * @param health the worst of its resources that can be observed
   * @param coverage how many of them were: {@code 4 of 6 observed}
   * @param healthMessage names the worst
   */
  record View(
      UUID id,
      NodeRef node,
      String name,
      String environment,
      String team,
      int revision,
      String state,
      String health,
      String coverage,
      String healthMessage,
      @Nullable UUID deploymentId,
      @Nullable String deploymentStatus,
      List<Resources.View> resources,
      long version,
      String createdBy,
      Instant createdAt,
      Instant updatedAt) {}

  /** A line of a list. */
  record Summary(
      UUID id,
      NodeRef node,
      String name,
      String environment,
      String team,
      int revision,
      String state,
      int resources,
      int active,
      long version,
      Instant createdAt,
      Instant updatedAt) {}

  /** More plans are not listed; older ones are found by their hash. */
  int PLANS = 1_000;

  /** A line of the list of plans. */
  record KeptPlan(
      String hash,
      String application,
      String environment,
      String team,
      String effect,
      String createdBy,
      Instant createdAt) {}

  /** A revision that was asked for; {@code spec} is masked. */
  record Revision(
      int revision,
      String planHash,
      Map<String, Object> spec,
      String createdBy,
      Instant createdAt) {}

  /**
   * @param confirm must be the application's name when it has resources
   * @param leftovers what becomes of the real objects
   */
  record Teardown(Optional<String> confirm, Leftovers leftovers, Optional<Long> ifVersion) {
    /** By each resource's deletion policy, or left alone whatever it says. */
    public enum Leftovers {
      BY_POLICY,
      ORPHAN
    }
  }

  /** Which applications to list; empty fields do not limit. */
  record Filter(Optional<String> environment, Optional<String> team, Optional<String> state) {
    /** All of them. */
    public static final Filter ALL =
        new Filter(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** What deploying this would do; changes nothing. The plan can be read again by its hash. */
  Plan plan(Caller caller, DeployRequest request);

  /** A plan made before, masked, as JSON values. */
  Map<String, Object> plan(Caller caller, String hash);

  /** Plans that are kept, newest first, at most {@link #PLANS}. */
  List<KeptPlan> plans(Caller caller, Optional<String> application, Optional<String> environment);

  /** Accepts a document and starts what can be started, in one transaction. */
  Accepted deploy(Caller caller, DeployRequest request);

  /** Makes an earlier revision the newest one. */
  Accepted rollback(Caller caller, Ref application, int revision);

  /** Deprovisions everything that belongs to it alone, in reverse order. */
  Accepted deprovision(Caller caller, Ref application, Teardown teardown);

  /** One page, by environment and name. */
  Page<Summary> list(Caller caller, Filter filter, Page.Ask page);

  /** One application with its resources. */
  View show(Caller caller, Ref application);

  /** Containers and service with every placeholder bound, secrets masked; refused before that. */
  Map<String, Object> workload(Caller caller, Ref application);

  /** Newest first. */
  List<Revision> revisions(Caller caller, Ref application);

  /** Why it, or one of its resources, is not active. */
  Explanation explain(Caller caller, Ref application, Optional<String> resource);
}
