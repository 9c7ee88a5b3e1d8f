package dev.slipway.steps.job;

import dev.slipway.engine.execute.RunLease;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.apply.ClusterObject;
import dev.slipway.kubernetes.apply.ObjectRef;
import dev.slipway.kubernetes.apply.Reach;
import dev.slipway.kubernetes.apply.RefusedException;
import dev.slipway.kubernetes.apply.Stamp;
import dev.slipway.kubernetes.cluster.ApiReply;
import dev.slipway.kubernetes.cluster.ApiRequest;
import dev.slipway.kubernetes.cluster.ApiRequest.Body;
import dev.slipway.kubernetes.cluster.ApiRequest.Method;
import dev.slipway.kubernetes.cluster.ApiStream;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import dev.slipway.kubernetes.cluster.Clusters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The requests about the Job of one attempt. They are sent with the cluster's own credentials: what
 * runs, where and with which rights is the administrator's choice, and teams need no right there.
 */
record JobRequests(Clusters clusters, String name, JobPlace place, RunLease lease) {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Duration UNUSABLE = Duration.ofSeconds(5);
  private static final String JSON = "application/json";
  private static final int CONFLICT = 409;
  private static final int MISSING = 404;

  /** Whether the configuration still has the cluster. */
  boolean configured() {
    return clusters.names().contains(name);
  }

  /** The cluster with the settings of now: they may change while a Job runs. */
  private Cluster cluster() throws ClusterDownException {
    try {
      Optional<Cluster> cluster = clusters.find(name);
      if (cluster.isPresent()) {
        return cluster.get();
      }
    } catch (IllegalArgumentException e) {
      throw new ClusterDownException(
          "the cluster '" + name + "' cannot be used: " + e.getMessage(), UNUSABLE);
    }
    throw new ClusterDownException("cluster '" + name + "' is not configured any more", UNUSABLE);
  }

  /** Refuses a namespace that is stamped as another team's: its people read Secrets there. */
  void namespace() throws RefusedException, ClusterDownException, InterruptedException {
    ObjectRef ref = new ObjectRef(Reach.namespaces(), Optional.empty(), place.namespace());
    String team = place.call().scope().team();
    Optional<ClusterObject> namespace = find(ref);
    if (namespace.isEmpty()) {
      throw RefusedException.last(
          "namespace-missing",
          "there is no namespace '%s' in cluster '%s' for Jobs of steps"
              .formatted(place.namespace(), name),
          "An administrator makes it, or corrects clusters.%s.jobs.namespace.".formatted(name));
    }
    if (namespace.get().annotation(Stamp.TEAM).filter(other -> !other.equals(team)).isPresent()) {
      throw RefusedException.last(
          "namespace-not-granted",
          "namespace '%s' of cluster '%s' belongs to another team than '%s'"
              .formatted(place.namespace(), name, team),
          "An administrator corrects clusters.%s.jobs.namespace.".formatted(name));
    }
  }

  private Optional<ClusterObject> find(ObjectRef ref)
      throws RefusedException, ClusterDownException, InterruptedException {
    ApiReply reply = cluster().read(ApiRequest.get(ref.path()), LIMIT);
    return reply.status() == MISSING ? Optional.empty() : Optional.of(object(ref, reply));
  }

  private static ClusterObject object(ObjectRef ref, ApiReply reply) throws RefusedException {
    if (!reply.ok()) {
      throw RefusedException.of(ref, reply);
    }
    return new ClusterObject(reply.body());
  }

  /** The Job of this attempt. */
  Optional<ClusterObject> job()
      throws RefusedException, ClusterDownException, InterruptedException {
    Optional<ClusterObject> job = find(place.job());
    if (job.isPresent()
        && !job.get().annotation(JobPlace.KEY).equals(Optional.of(place.call().key()))) {
      throw RefusedException.last(
          StepError.NOT_OURS,
          place.job() + " in cluster '" + name + "' was not made for this step",
          "Its owner has to delete it.");
    }
    return job;
  }

  /** Creates what does not exist; whether it was created. */
  boolean create(ObjectRef ref, Map<String, Object> object)
      throws RefusedException, ClusterDownException, InterruptedException {
    ApiRequest request =
        ApiRequest.change(Method.POST, place.all(ref), Body.json(JSON, object))
            .with("fieldManager", "slipway");
    ApiReply reply = cluster().send(request, LIMIT, lease);
    if (reply.status() == CONFLICT && reply.reason().equals("AlreadyExists")) {
      return false;
    }
    object(ref, reply);
    return true;
  }

  /** Creates what belongs to the Job; what belonged to an earlier one goes first. */
  void createOwned(ObjectRef ref, Map<String, Object> object, String owner)
      throws RefusedException, ClusterDownException, InterruptedException {
    if (create(ref, object)) {
      return;
    }
    Optional<ClusterObject> live = find(ref);
    if (live.isPresent() && !ownedBy(live.get(), owner)) {
      throw RefusedException.later(
          "terminating",
          ref + " is left from another Job",
          "Kubernetes deletes it when its Job is gone; Slipway waits for that.");
    }
  }

  private static boolean ownedBy(ClusterObject object, String uid) {
    return object.metadata().get("ownerReferences") instanceof List<?> owners
        && owners.stream().map(Values::map).anyMatch(owner -> uid.equals(owner.get("uid")));
  }

  /** Lets a suspended Job begin. */
  void begin(String uid) throws RefusedException, ClusterDownException, InterruptedException {
    Map<String, Object> patch =
        Map.of("metadata", Map.of("uid", uid), "spec", Map.of("suspend", false));
    ApiRequest request =
        ApiRequest.change(
            Method.PATCH, place.job().path(), Body.json("application/merge-patch+json", patch));
    object(place.job(), cluster().send(request.with("fieldManager", "slipway"), LIMIT, lease));
  }

  /** Deletes the Job; it goes when its pods are gone. */
  void delete(String uid) throws RefusedException, ClusterDownException, InterruptedException {
    Map<String, Object> options =
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "DeleteOptions",
            "propagationPolicy",
            "Foreground",
            "preconditions",
            Map.of("uid", uid));
    ApiReply reply =
        cluster()
            .send(
                ApiRequest.change(Method.DELETE, place.job().path(), Body.json(JSON, options)),
                LIMIT,
                lease);
    if (reply.status() != MISSING && reply.status() != CONFLICT) {
      object(place.job(), reply);
    }
  }

  /** The pods of the Job. */
  List<JobPod> pods(String uid)
      throws RefusedException, ClusterDownException, InterruptedException {
    ApiReply reply =
        cluster()
            .read(
                ApiRequest.get(place.pods())
                    .with("labelSelector", "batch.kubernetes.io/controller-uid=" + uid),
                LIMIT);
    object(place.job(), reply);
    return reply.body().get("items") instanceof List<?> items
        ? items.stream().map(Values::map).map(ClusterObject::new).map(JobPod::new).toList()
        : List.of();
  }

  /** Why the Job has no pod: the last warning about it. */
  Optional<String> warning(String uid)
      throws RefusedException, ClusterDownException, InterruptedException {
    ApiReply reply =
        cluster()
            .read(
                ApiRequest.get(place.events())
                    .with("fieldSelector", "involvedObject.uid=" + uid + ",type=Warning"),
                LIMIT);
    return reply.body().get("items") instanceof List<?> items && reply.ok()
        ? items.stream()
            .map(Values::map)
            .map(event -> event.get("reason") + ": " + event.get("message"))
            .reduce((_, later) -> later)
        : Optional.empty();
  }

  /** The log of the pod from its beginning, as it grows. */
  ApiStream log(JobPod pod) throws ClusterDownException, InterruptedException {
    return cluster()
        .open(
            ApiRequest.get(place.pods() + "/" + pod.name() + "/log")
                .with("container", JobObjects.CONTAINER)
                .with("follow", "true"),
            LIMIT);
  }

  /** The pad of this Job; empty when its Secret is gone. */
  Optional<String> pad() throws RefusedException, ClusterDownException, InterruptedException {
    return find(place.secret())
        .map(secret -> Values.map(secret.content().get("data")).get(JobShell.PAD))
        .map(String::valueOf);
  }
}
