package dev.slipway.kubernetes.apply;

import dev.slipway.engine.execute.RunLease;
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

  public ClusterObjects(Cluster cluster, Session session) {
    this.cluster = cluster;
    this.session = session;
  }

  /** The object, unless there is none. */
  public Optional<ClusterObject> get(ObjectRef ref)
      throws RefusedException, ClusterDownException, InterruptedException {
    ApiReply reply = read(ref);
    if (reply.status() == 404) {
      return Optional.empty();
    }
    if (!reply.ok()) {
      throw new Refusals(ref, _ -> Optional.empty()).of(reply);
    }
    return Optional.of(new ClusterObject(reply.body()));
  }

  private ApiReply read(ObjectRef ref) throws ClusterDownException, InterruptedException {
    return cluster.read(ApiRequest.get(ref.path()).as(session.user()), session.left());
  }

  /**
   * Whose the object is; empty when there is none.
   *
   * @throws RefusedException {@code not-ours} when it is not this owner's
   */
  public Optional<Verdict> judge(ObjectRef ref, Adoption adoption)
      throws RefusedException, ClusterDownException, InterruptedException {
    Optional<ClusterObject> live = get(ref);
    return live.isEmpty() ? Optional.empty() : Optional.of(ours(ref, live.get(), adoption));
  }

  private Verdict ours(ObjectRef ref, ClusterObject live, Adoption adoption)
      throws RefusedException {
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

  /** Applies a manifest. An object that is as the manifest says gets no request that writes. */
  public Applied apply(Manifest manifest, Conflicts conflicts, Adoption adoption)
      throws RefusedException, ClusterDownException, InterruptedException {
    for (int looks = 1; ; looks++) {
      try {
        return applied(manifest, conflicts, adoption);
      } catch (RefusedException e) {
        if (e.outlook() != Outlook.LOOK_AGAIN || looks == MOST_LOOKS) {
          throw e;
        }
      }
    }
  }

  private Applied applied(Manifest manifest, Conflicts conflicts, Adoption adoption)
      throws RefusedException, ClusterDownException, InterruptedException {
    ObjectRef ref = manifest.ref();
    Optional<ClusterObject> live = get(ref);
    if (live.isEmpty()) {
      Map<String, Object> content = manifest.stamped(session.stamp(), Verdict.OURS);
      // Never the version of an object: the request is refused if there is one by now.
      put(content, "resourceVersion", "1");
      return new Applied(Change.CREATED, send(manifest, content, Conflicts.FAIL));
    }
    if (live.get().terminating()) {
      throw RefusedException.later(
          "terminating",
          ref + " is being deleted",
          "Slipway tries again until it is gone; a finalizer may hold it.");
    }
    Verdict verdict = ours(ref, live.get(), adoption);
    Map<String, Object> content = manifest.stamped(session.stamp(), verdict);
    if (verdict != Verdict.CONSENTS
        && AppliedFields.same(content, live.get(), session.stamp().manager())) {
      return new Applied(Change.NONE, live.get());
    }
    put(content, "uid", live.get().uid());
    if (verdict == Verdict.CONSENTS) {
      put(content, "resourceVersion", live.get().resourceVersion());
    }
    ClusterObject after = send(manifest, content, conflicts);
    return new Applied(change(verdict, live.get(), after), after);
  }

  private static Change change(Verdict verdict, ClusterObject before, ClusterObject after) {
    if (verdict == Verdict.CONSENTS) {
      return Change.ADOPTED;
    }
    return before.resourceVersion().equals(after.resourceVersion()) ? Change.NONE : Change.CHANGED;
  }

  private static void put(Map<String, Object> content, String key, String value) {
    Map<String, Object> metadata =
        new LinkedHashMap<>(dev.slipway.engine.value.Values.map(content.get("metadata")));
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
