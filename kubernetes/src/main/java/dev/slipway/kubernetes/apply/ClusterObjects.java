package dev.slipway.kubernetes.apply;

import dev.slipway.engine.execute.RunLease;
import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.apply.RefusedException.Outlook;
import dev.slipway.kubernetes.apply.Stamp.Verdict;
import dev.slipway.kubernetes.cluster.ApiReply;
import dev.slipway.kubernetes.cluster.ApiRequest;
import dev.slipway.kubernetes.cluster.ApiRequest.Body;
import dev.slipway.kubernetes.cluster.ApiRequest.Method;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The objects of one owner in one cluster. Everything here may be called again after a crash: what
 * is done already changes nothing.
 */
public final class ClusterObjects {
  /** How often an object is looked at anew that changes between the look and the request. */
  private static final int MOST_LOOKS = 5;

  private static final String APPLY = "application/apply-patch+yaml";
  private static final String MERGE = "application/merge-patch+json";

  private final Cluster cluster;
  private final WarmCache warm;
  private final Session session;

  /**
   * Whose requests these are.
   *
   * @param user as whom they are sent; empty for the cluster's own credentials
   */
  public record Session(
      Stamp stamp, Optional<String> user, RunLease lease, Instant deadline, InstantSource clock) {
    /** The time left. */
    public Duration left() {
      return Duration.between(clock.instant(), deadline);
    }

    /** The same with the cluster's own credentials. */
    public Session ofCluster() {
      return new Session(stamp, Optional.empty(), lease, deadline, clock);
    }
  }

  /** What to do with fields that another client manages. */
  public enum Conflicts {
    FAIL,
    FORCE
  }

  /** Whether an object may be adopted whose people consent to it. */
  public enum Adoption {
    REFUSED,
    ASKED
  }

  /** What became of an object. */
  public enum Change {
    NONE,
    CREATED,
    CHANGED,
    ADOPTED
  }

  /** An object after it was applied. */
  public record Applied(Change change, ClusterObject object) {}

  public ClusterObjects(Cluster cluster, WarmCache warm, Session session) {
    this.cluster = cluster;
    this.warm = warm;
    this.session = session;
  }

  Session session() {
    return session;
  }

  WarmCache warm() {
    return warm;
  }

  /** The object, unless there is none. */
  public Optional<ClusterObject> get(ObjectRef ref)
      throws RefusedException, ClusterDownException, InterruptedException {
    ApiReply reply = read(ref);
    if (reply.status() == 404) {
      served(ref, reply);
      return Optional.empty();
    }
    return Optional.of(object(ref, reply));
  }

  /** An answer that names no object says that the kind itself is gone. */
  private void served(ObjectRef ref, ApiReply reply) throws RefusedException {
    if (!namesObject(reply)) {
      cluster.kinds().forget(ref.kind().apiVersion());
      throw RefusedException.later(
          "unknown-kind",
          "cluster '%s' does not serve %s".formatted(cluster.name(), ref.kind().granted()),
          "Its CustomResourceDefinition may have been deleted; Slipway waits for it.");
    }
  }

  private static boolean namesObject(ApiReply reply) {
    return Values.map(reply.body().get("details")).containsKey("name");
  }

  private ApiReply read(ObjectRef ref) throws ClusterDownException, InterruptedException {
    return cluster.read(ApiRequest.get(ref.path()).as(session.user()), session.left());
  }

  /** Refuses an object that is not this owner's; one that does not exist is nobody's. */
  public void require(ObjectRef ref)
      throws RefusedException, ClusterDownException, InterruptedException {
    Optional<ClusterObject> live = get(ref);
    if (live.isPresent()) {
      ours(ref, live.get(), Adoption.REFUSED);
    }
  }

  Verdict ours(ObjectRef ref, ClusterObject live, Adoption adoption) throws RefusedException {
    Verdict verdict = session.stamp().read(live);
    return switch (verdict) {
      case OURS, ADOPTED -> verdict;
      case CONSENTS -> {
        if (adoption == Adoption.REFUSED) {
          throw NotOurs.unasked(ref);
        }
        yield verdict;
      }
      case FOREIGN -> throw NotOurs.foreign(ref, live, session.stamp());
    };
  }

  /** What a look before an apply found. */
  public sealed interface Look {
    /** It is what the manifest says. */
    record Same(ClusterObject live) implements Look {}

    /** It is missing or differs. */
    record Differs(Optional<ClusterObject> live) implements Look {}
  }

  /**
   * Looks at the object of a manifest, in the cluster unless a watch shows that nothing changed.
   *
   * @throws RefusedException {@code not-ours} when it is not this owner's
   */
  public Look look(Manifest manifest, Adoption adoption)
      throws RefusedException, ClusterDownException, InterruptedException {
    ObjectRef ref = manifest.ref();
    Map<String, Object> content = manifest.stamped(session.stamp(), Verdict.OURS);
    String claim = WarmCache.claim(content, session.stamp().manager());
    Optional<ClusterObject> known = warm.holds(ref, claim);
    if (known.isPresent()) {
      return new Look.Same(known.get());
    }
    Optional<ClusterObject> unchanged = warm.unchanged(ref);
    if (unchanged.isPresent() && session.stamp().read(unchanged.get()) == Verdict.OURS) {
      return new Look.Differs(unchanged);
    }
    Optional<ClusterObject> live = found(ref);
    if (live.isEmpty()) {
      return new Look.Differs(live);
    }
    Verdict verdict = ours(ref, live.get(), adoption);
    if (live.get().terminating()
        || verdict == Verdict.CONSENTS
        || !AppliedFields.same(
            manifest.stamped(session.stamp(), verdict), live.get(), session.stamp().manager())) {
      return new Look.Differs(live);
    }
    if (verdict == Verdict.OURS) {
      warm.note(ref, claim, live.get());
    }
    return new Look.Same(live.get());
  }

  /**
   * The same without a request where a watch shows no such object. An object that the watch does
   * not show has no owner, and the request that creates one is refused by it: for a step that
   * changes one object only.
   */
  public Look glance(Manifest manifest, Adoption adoption)
      throws RefusedException, ClusterDownException, InterruptedException {
    return adoption == Adoption.REFUSED && warm.absent(manifest.ref())
        ? new Look.Differs(Optional.empty())
        : look(manifest, adoption);
  }

  /** The object; none of a kind whose definition the same step may be about to apply. */
  Optional<ClusterObject> found(ObjectRef ref)
      throws RefusedException, ClusterDownException, InterruptedException {
    ApiReply reply = read(ref);
    if (reply.status() == 404 && !namesObject(reply)) {
      cluster.kinds().forget(ref.kind().apiVersion());
    }
    if (reply.ok()) {
      warm.use(ref.kind());
    }
    return reply.status() == 404 ? Optional.empty() : Optional.of(object(ref, reply));
  }

  private static ClusterObject object(ObjectRef ref, ApiReply reply) throws RefusedException {
    if (!reply.ok()) {
      throw new Refusals(ref, _ -> Optional.empty()).of(reply);
    }
    return new ClusterObject(reply.body());
  }

  /** Applies a manifest. An object that is as the manifest says gets no request that writes. */
  public Applied apply(Manifest manifest, Look first, Conflicts conflicts, Adoption adoption)
      throws RefusedException, ClusterDownException, InterruptedException {
    Look look = first;
    for (int looks = 1; ; looks++) {
      try {
        return switch (look) {
          case Look.Same(ClusterObject live) -> new Applied(Change.NONE, live);
          case Look.Differs(Optional<ClusterObject> live) ->
              live.isEmpty() ? created(manifest) : changed(manifest, live.get(), conflicts);
        };
      } catch (RefusedException e) {
        if (e.outlook() != Outlook.LOOK_AGAIN || looks == MOST_LOOKS) {
          throw e;
        }
        look = look(manifest, adoption);
      }
    }
  }

  private Applied created(Manifest manifest)
      throws RefusedException, ClusterDownException, InterruptedException {
    Map<String, Object> content = manifest.stamped(session.stamp(), Verdict.OURS);
    // Never the version of an object: the request is refused if there is one by now.
    put(content, "resourceVersion", "1");
    ClusterObject after = send(manifest, content, Conflicts.FAIL);
    note(manifest, after);
    return new Applied(Change.CREATED, after);
  }

  private Applied changed(Manifest manifest, ClusterObject live, Conflicts conflicts)
      throws RefusedException, ClusterDownException, InterruptedException {
    if (live.terminating()) {
      throw RefusedException.later(
          "terminating",
          manifest.ref() + " is being deleted",
          "Slipway tries again until it is gone; a finalizer may hold it.");
    }
    Verdict verdict = session.stamp().read(live);
    Map<String, Object> content = manifest.stamped(session.stamp(), verdict);
    put(content, "uid", live.uid());
    if (verdict == Verdict.CONSENTS) {
      put(content, "resourceVersion", live.resourceVersion());
    }
    ClusterObject after = send(manifest, content, conflicts);
    if (verdict == Verdict.OURS) {
      note(manifest, after);
    }
    return new Applied(change(verdict, live, after), after);
  }

  /** What was just applied holds: the server may write the manifest's values in another form. */
  private void note(Manifest manifest, ClusterObject after) {
    Map<String, Object> content = manifest.stamped(session.stamp(), Verdict.OURS);
    warm.note(manifest.ref(), WarmCache.claim(content, session.stamp().manager()), after);
  }

  private static Change change(Verdict verdict, ClusterObject before, ClusterObject after) {
    if (verdict == Verdict.CONSENTS) {
      return Change.ADOPTED;
    }
    return before.resourceVersion().equals(after.resourceVersion()) ? Change.NONE : Change.CHANGED;
  }

  private static void put(Map<String, Object> content, String key, String value) {
    Map<String, Object> metadata = new LinkedHashMap<>(Values.map(content.get("metadata")));
    metadata.put(key, value);
    content.put("metadata", metadata);
  }

  private ClusterObject send(Manifest manifest, Map<String, Object> content, Conflicts conflicts)
      throws RefusedException, ClusterDownException, InterruptedException {
    ApiRequest request =
        ApiRequest.change(Method.PATCH, manifest.ref().path(), Body.json(APPLY, content))
            .with("fieldManager", session.stamp().manager())
            .with("fieldValidation", "Strict")
            .with("force", String.valueOf(conflicts == Conflicts.FORCE));
    ApiReply reply = cluster.send(request.as(session.user()), session.left(), session.lease());
    if (!reply.ok()) {
      throw new Refusals(manifest.ref(), manifest::place).of(reply);
    }
    warm.use(manifest.ref().kind());
    return new ClusterObject(reply.body());
  }

  /** Deletes an object, or gives up one that was adopted; whether it is still there. */
  public boolean delete(ObjectRef ref, Propagation propagation)
      throws RefusedException, ClusterDownException, InterruptedException {
    Optional<ClusterObject> live = get(ref);
    if (live.isEmpty()) {
      return false;
    }
    if (ours(ref, live.get(), Adoption.REFUSED) == Verdict.ADOPTED) {
      merge(ref, session.stamp().removal(live.get()));
      return false;
    }
    if (!live.get().terminating()) {
      remove(ref, live.get(), propagation);
    }
    return get(ref).isPresent();
  }

  private void remove(ObjectRef ref, ClusterObject live, Propagation propagation)
      throws RefusedException, ClusterDownException, InterruptedException {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("apiVersion", "v1");
    options.put("kind", "DeleteOptions");
    options.put("propagationPolicy", propagation.word());
    options.put("preconditions", Map.of("uid", live.uid()));
    ApiRequest request =
        ApiRequest.change(Method.DELETE, ref.path(), Body.json("application/json", options));
    ApiReply reply = cluster.send(request.as(session.user()), session.left(), session.lease());
    if (!reply.ok() && reply.status() != 404) {
      throw new Refusals(ref, _ -> Optional.empty()).of(reply);
    }
  }

  private ClusterObject merge(ObjectRef ref, Map<String, Object> patch)
      throws RefusedException, ClusterDownException, InterruptedException {
    return patched(ref, Body.json(MERGE, patch));
  }

  private ClusterObject patched(ObjectRef ref, Body body)
      throws RefusedException, ClusterDownException, InterruptedException {
    ApiRequest request =
        ApiRequest.change(Method.PATCH, ref.path(), body)
            .with("fieldManager", session.stamp().manager())
            .with("fieldValidation", "Strict");
    ApiReply reply = cluster.send(request.as(session.user()), session.left(), session.lease());
    if (!reply.ok()) {
      throw new Refusals(ref, _ -> Optional.empty()).of(reply);
    }
    return new ClusterObject(reply.body());
  }

  /** Patches an object of this owner. */
  public ClusterObject patch(ObjectRef ref, ObjectPatch patch)
      throws RefusedException, ClusterDownException, InterruptedException {
    for (int looks = 1; ; looks++) {
      ClusterObject live =
          get(ref)
              .orElseThrow(
                  () -> RefusedException.last("missing", "there is no " + ref, "Apply it first."));
      ours(ref, live, Adoption.REFUSED);
      try {
        return patched(ref, patch.body(live.uid()));
      } catch (RefusedException e) {
        if (e.outlook() != Outlook.LOOK_AGAIN || looks == MOST_LOOKS) {
          throw e;
        }
      }
    }
  }
}
