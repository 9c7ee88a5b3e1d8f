package dev.slipway.applications.plan;

import dev.slipway.applications.plan.Planned.Assignment;
import dev.slipway.applications.plan.Planned.Removal;
import dev.slipway.engine.graph.Dag;
import dev.slipway.engine.intake.Canonical;
import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.plan.Change;
import dev.slipway.engine.plan.Fingerprint;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.value.SecretBox;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares what is asked for with what is. A pure function: the same question has the same answer,
 * down to the hash.
 */
public final class Planner {

  /**
   * The caller and the options of a request.
   *
   * @param specHash over the spec in force, null when there is none
   * @param replace names of resources that may be deleted and created anew
   * @param orphan names of resources whose real object is left alone; all of them: {@link #ALL}
   */
  public record Question(
      UUID application,
      String team,
      @Nullable String specHash,
      Set<String> replace,
      Set<String> orphan,
      Optional<DeletionPolicy> environmentPolicy,
      AdminConfig.Enforcement backups) {
    /** In {@code orphan}: whatever it is called. */
    public static final String ALL = "*";
  }

  private final Offers offers;
  private final SecretBox box;
  private final Fingerprint fingerprint;

  /** Against these offers, with the key that secrets are sealed under. */
  public Planner(Offers offers, SecretBox box) {
    this.offers = offers;
    this.box = box;
    this.fingerprint = new Fingerprint(box);
  }

  /**
   * The plan.
   *
   * @param known everything that the application uses or owns, and everything of the environment
   *     that has one of the wanted identities, with what those depend on
   */
  public Planned plan(Wanted wanted, Question question, List<KnownResource> known) {
    Map<String, KnownResource> byIdentity =
        known.stream()
            .collect(Collectors.toMap(KnownResource::identity, Function.identity(), Planner::live));
    PlanFindings findings = new PlanFindings(wanted.document());
    Map<String, WantedResource> byName = new LinkedHashMap<>();
    wanted.resources().forEach(r -> byName.put(r.name(), r));
    ApplicationRefs refs = new ApplicationRefs(wanted.application(), wanted.environment());
    ItemPlanner items =
        new ItemPlanner(refs, offers, box, fingerprint, findings, question, byIdentity);
    Map<String, Assignment> assignments = new HashMap<>();
    for (String name : order(byName).sorted()) {
      WantedResource next =
          Objects.requireNonNull(byName.get(name), "the order holds names of wanted resources");
      assignments.put(name, items.assign(next, assignments));
    }
    new Outputs(offers, findings).check(wanted, byIdentity);
    CrossCycle.check(wanted, byIdentity, findings);
    Removals removals = new Removals(refs, offers, question);
    List<Removal> removed = removals.of(known, assignments.values());
    List<Assignment> sorted =
        assignments.values().stream().sorted(Comparator.comparing(a -> a.wanted().name())).toList();
    Plan plan = plan(wanted, question, sorted, removed, findings);
    List<Planned.Obstacle> obstacles = new ArrayList<>(items.obstacles());
    obstacles.addAll(removals.obstacles());
    return new Planned(plan, sorted, removed, findings.errors(), removals.undeletable(), obstacles);
  }

  private Plan plan(
      Wanted wanted,
      Question question,
      List<Assignment> assignments,
      List<Removal> removed,
      PlanFindings findings) {
    List<Plan.Item> items = new ArrayList<>();
    assignments.forEach(a -> items.add(a.item()));
    removed.forEach(r -> items.add(r.item()));
    String specHash = fingerprint.of(wanted.spec());
    boolean moves =
        items.stream().anyMatch(i -> i.change() != Change.NO_OP)
            || assignments.stream().anyMatch(a -> "adopted".equals(a.item().note()))
            || !removed.isEmpty()
            || !specHash.equals(question.specHash());
    Waves waves =
        new Waves(
            assignments.stream().map(Assignment::item).toList(),
            removed.stream().map(Removal::item).toList());
    return new Plan(
        wanted.application(),
        wanted.environment(),
        hash(wanted, question, specHash, assignments, removed),
        moves ? Plan.Effect.CHANGES : Plan.Effect.NONE,
        items,
        waves.all(),
        waves.criticalPath(),
        findings.warnings());
  }

  private static Dag<String> order(Map<String, WantedResource> byName) {
    Map<String, Set<String>> needs = new TreeMap<>();
    byName.forEach((name, resource) -> needs.put(name, resource.dependsOn()));
    return Dag.of(needs);
  }

  /** One identity may have a deleted record of an earlier life beside the living one. */
  private static KnownResource live(KnownResource one, KnownResource other) {
    return one.state() == dev.slipway.applications.lifecycle.ResourceState.DELETED ? other : one;
  }

  private static String hash(
      Wanted wanted,
      Question question,
      String specHash,
      List<Assignment> assignments,
      List<Removal> removed) {
    List<@Nullable Object> parts = new ArrayList<>();
    parts.add(List.of(wanted.application(), wanted.environment(), question.team(), specHash));
    assignments.forEach(a -> parts.add(part(a.item(), a.known())));
    removed.forEach(r -> parts.add(part(r.item(), r.known())));
    return Canonical.hash(parts);
  }

  /** What must stay the same for an item to mean the same. */
  private static List<@Nullable Object> part(Plan.Item item, @Nullable KnownResource known) {
    List<@Nullable Object> part = new ArrayList<>();
    part.add(item.identity());
    part.add(item.change().text());
    if (item.change() != Change.NO_OP || item.note() != null && LASTING.contains(item.note())) {
      part.add(item.note() != null && LASTING.contains(item.note()) ? item.note() : null);
      part.add(item.provider());
      part.add(item.definition());
      part.add(known == null ? 0L : (long) known.incarnation());
      part.add(known == null ? null : known.appliedHash());
    }
    return part;
  }

  /** Notes that change what is done; all other notes only report progress. */
  private static final Set<String> LASTING =
      Set.of("adopted", "released", "retained", "orphaned", "update-unsupported");
}
