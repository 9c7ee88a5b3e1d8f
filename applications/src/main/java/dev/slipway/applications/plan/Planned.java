package dev.slipway.applications.plan;

import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.intake.Diagnostic;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan together with what carrying it out means for each record, and what forbids it.
 *
 * @param errors what makes the document impossible to deploy
 * @param obstacles what the rights of other teams forbid
 * @param undeletable resources whose deletion needs a workflow that no provider offers
 */
public record Planned(
    Plan plan,
    List<Assignment> assignments,
    List<Removal> removals,
    List<Diagnostic> errors,
    List<String> undeletable,
    List<Obstacle> obstacles) {

  /** Something of another team that stands in the way, whatever the document says. */
  public record Obstacle(String code, String message, String hint, List<String> related) {}

  /** A wanted resource, what is known of it (null: nothing), and whose definition counts. */
  public record Assignment(
      WantedResource wanted,
      @Nullable KnownResource known,
      Plan.Item item,
      Role role,
      DeletionPolicy deletionPolicy) {}

  /** What an application is to a resource. */
  public enum Role {
    /** Its params count. */
    DEFINES,
    /** It uses a resource that another application defines. */
    SHARES
  }

  /** A resource that is used no more. */
  public record Removal(KnownResource known, Kind kind, Plan.Item item) {
    /** What becomes of it. */
    public enum Kind {
      /** Other applications still use it. */
      RELEASE,
      RETAIN,
      ORPHAN,
      DELETE
    }
  }
}
