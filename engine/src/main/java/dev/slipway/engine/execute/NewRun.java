package dev.slipway.engine.execute;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.workflow.StepOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run to be made. It may be claimed as soon as it is committed. {@code timeLimit} counts from its
 * first claim and stands still while it waits for people.
 */
public record NewRun(
    UUID id,
    Kind kind,
    Resolution.Definition definition,
    @Nullable String operation,
    Subject subject,
    Tenancy tenancy,
    Origin origin,
    Inputs inputs,
    Creation creation,
    @Nullable Duration timeLimit) {

  /** Where it belongs: decides who sees it, and which limits and policies hold. */
  public record Tenancy(String environment, String team) {}

  /** Who made it, and when. */
  public record Creation(String by, Instant at) {}

  /**
   * The run that it follows from.
   *
   * @param parent that it retries or undoes, or one of whose steps called it
   * @param carried steps taken over from a run that it retries
   * @param calledBy the step of the parent that called it
   */
  public record Origin(
      @Nullable UUID parent, List<StepRecord> carried, @Nullable CalledBy calledBy) {
    /** It follows from no other run. */
    public static final Origin NONE = new Origin(null, List.of(), null);

    /** Of that run, without any of its steps. */
    public static Origin of(@Nullable UUID parent) {
      return retry(parent, List.of());
    }

    /** Of that run, whose steps it takes over. */
    public static Origin retry(@Nullable UUID parent, List<StepRecord> carried) {
      return new Origin(parent, carried, null);
    }
  }

  /** A step of the parent, in that attempt. */
  public record CalledBy(String step, int attempt) {}

  /** Why a run exists. */
  public enum Kind implements State {
    RESOURCE,
    GOLDEN_PATH,
    PLATFORM,
    /** A step of another run called it. */
    CHILD,
    /** It undoes what another run had done before it failed. */
    ROLLBACK;

    /** Whether another run waits for its end. */
    public boolean belongsToAnother() {
      return this == CHILD || this == ROLLBACK;
    }
  }

  /**
   * What a run is for, as it was when the run was made.
   *
   * @param root what lists and events show the run under; null: the run itself
   * @param node that it works on; null: the root as a whole
   * @param request that it serves, which approvals and events name; null: none
   * @param key that has its turn when the run has begun and ended; null: none
   */
  public record Subject(
      @Nullable Part root, @Nullable Part node, @Nullable UUID request, @Nullable Key key) {
    /** Of nothing but itself, such as a platform run. */
    public static final Subject NONE = new Subject(null, null, null, null);

    public @Nullable NodeRef rootRef() {
      return root == null ? null : root.ref();
    }

    public @Nullable String rootName() {
      return root == null ? null : root.name();
    }

    public @Nullable UUID nodeId() {
      return node == null ? null : node.id();
    }

    public @Nullable String nodeName() {
      return node == null ? null : node.name();
    }

    public @Nullable String nodeType() {
      return node == null ? null : node.type();
    }

    /** Whether no event is appended about the run. */
    public boolean quiet() {
      return key != null && Key.OBSERVATION.equals(key.cause());
    }
  }

  /**
   * A node as its branch and its templates know it.
   *
   * @param ref null: a node of a run that a replica of schema 12 has stored
   * @param name in the root
   * @param type of resource, if it is one
   */
  public record Part(@Nullable NodeRef ref, UUID id, String name, @Nullable String type) {
    /** One with no other name than its reference. */
    public static Part of(NodeRef ref, UUID id) {
      return new Part(ref, id, ref.name(), null);
    }
  }

  /**
   * The key of the reconcile loop that has its turn when the run has begun and ended.
   *
   * @param item the part of it that the run works on; null: the whole
   * @param cause why the run was made
   */
  public record Key(String kind, String key, @Nullable String item, @Nullable String cause) {
    /** The cause of looks that the schedule makes: many, about which no event is appended. */
    public static final String OBSERVATION = "observation";
  }

  /**
   * What its templates read: parameters, already bound and checked; context; the outputs of its
   * node as they were; for a rollback also what it undoes. Secret leaves are sealed.
   */
  public record Inputs(
      Map<String, Object> parameters,
      Map<String, Object> context,
      Map<String, Object> outputs,
      @Nullable Undoing undoing) {
    /** Of a run that undoes nothing. */
    public Inputs(
        Map<String, Object> parameters, Map<String, Object> context, Map<String, Object> outputs) {
      this(parameters, context, outputs, null);
    }

    /** Nothing at all. */
    public static final Inputs NONE = new Inputs(Map.of(), Map.of(), Map.of());
  }

  /**
   * What a rollback undoes, frozen when it was made: the undoing steps in their order, each by its
   * step and its own name, and what the failed run knew by then.
   */
  public record Undoing(
      List<String> order, Map<String, Object> variables, Map<String, StepOutcome> steps) {}
}
