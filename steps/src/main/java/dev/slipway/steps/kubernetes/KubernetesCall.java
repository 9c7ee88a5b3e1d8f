package dev.slipway.steps.kubernetes;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.RenderedManifest;
import dev.slipway.kubernetes.apply.ApplyOrder;
import dev.slipway.kubernetes.apply.ClusterObject;
import dev.slipway.kubernetes.apply.ClusterObjects;
import dev.slipway.kubernetes.apply.ClusterObjects.Applied;
import dev.slipway.kubernetes.apply.ClusterObjects.Change;
import dev.slipway.kubernetes.apply.ClusterObjects.Look;
import dev.slipway.kubernetes.apply.ClusterObjects.Session;
import dev.slipway.kubernetes.apply.GuardedKinds;
import dev.slipway.kubernetes.apply.Manifest;
import dev.slipway.kubernetes.apply.ManifestPlan;
import dev.slipway.kubernetes.apply.ObjectRef;
import dev.slipway.kubernetes.apply.Reach;
import dev.slipway.kubernetes.apply.RefusedException;
import dev.slipway.kubernetes.apply.RefusedException.Outlook;
import dev.slipway.kubernetes.apply.Stamp;
import dev.slipway.kubernetes.apply.WarmCache;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import dev.slipway.kubernetes.health.assess.HealthRules;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** One call of a kubernetes step. */
final class KubernetesCall {
  private static final String TRIES = "tries";
  private static final int LONGEST_MESSAGE = 2_000;
  private static final Duration SHORTEST = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofSeconds(15);

  private final Cluster cluster;
  private final WarmCache warm;
  private final StepCall call;
  private final InstantSource clock;
  private final HealthRules rules;
  private final StepConfig config;
  private final Session session;
  private final Secrets secrets;
  private final Reach reach;
  private final ObjectOutputs outputs = new ObjectOutputs();

  /** What calls of all steps share. */
  record Means(InstantSource clock, HealthRules rules) {}

  KubernetesCall(Cluster cluster, WarmCache warm, StepCall call, Means means) {
    this.cluster = cluster;
    this.warm = warm;
    this.call = call;
    this.clock = means.clock();
    this.rules = means.rules();
    this.config = new StepConfig(call);
    this.secrets = SecretValues.with(call);
    this.session =
        new Session(
            config.stamp(),
            cluster.settings().userOf(call.scope().team()),
            call.lease(),
            call.deadline(),
            clock);
    this.reach =
        new Reach(
            cluster, warm, call.scope().grants(), call.scope().team(), call.scope().provider());
  }

  Result result() throws InterruptedException {
    try {
      return switch (config.required("operation")) {
        case "apply", "create" -> apply(documents());
        case "check" -> new Check(this, config.ignored()).result();
        case "create-namespace" -> createNamespace();
        case "delete" -> new Deletion(cluster, call, config, this).result();
        case "get" -> get();
        case "patch" -> patch();
        case "wait" -> await();
        default ->
            throw RefusedException.last("invalid-config", "unknown operation", "Correct it.");
      };
    } catch (ClusterDownException e) {
      return later(
          StepError.passing(
              "cluster-down",
              String.valueOf(e.getMessage()),
              "Slipway tries again until the step's timeout."),
          "cluster '" + cluster.name() + "' to answer",
          e.waitFor());
    } catch (RefusedException e) {
      return e.outlook() == Outlook.FINAL
          ? new Result.Failed(masked(e.error()), Map.of())
          : later(e.error(), "the cluster: " + e.error().code(), e.after().orElse(Duration.ZERO));
    }
  }

  StepError masked(StepError error) {
    String whole = secrets.mask(error.message());
    String message =
        whole.length() <= LONGEST_MESSAGE ? whole : whole.substring(0, LONGEST_MESSAGE) + "…";
    return new StepError(error.code(), message, error.kind(), error.hint());
  }

  /** Waits on a timer; the error itself when the step's time is almost over. */
  private Result later(StepError error, String what, Duration least) {
    Duration pause = pause();
    pause = least.compareTo(pause) > 0 ? least : pause;
    StepError shown = masked(error);
    if (session.left().compareTo(pause) <= 0) {
      return new Result.Failed(shown, Map.of(), least);
    }
    note(shown.message() + "; trying again in " + pause.toSeconds() + " s");
    return parked(pause, what, shown.message());
  }

  private Duration pause() {
    Duration pause = SHORTEST.multipliedBy(1L << Math.min(tries(), 5));
    return pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
  }

  private long tries() {
    return call.memory().get(TRIES) instanceof Number n ? n.longValue() : 0;
  }

  Result parked(Duration pause, String what, String seen) {
    return new Result.Parked(
        clock.instant().plus(pause), what, Map.of(TRIES, tries() + 1, Result.Parked.SEEN, seen));
  }

  /** Waits a little longer each time. */
  Result parked(String what, String seen) {
    return parked(pause(), what, secrets.mask(seen));
  }

  ClusterObjects objects(ObjectRef ref) {
    return new ClusterObjects(
        cluster, warm, GuardedKinds.namespace(ref.kind()) ? session.ofCluster() : session);
  }

  List<RenderedManifest> documents() throws RefusedException {
    Optional<String> path = config.text("path");
    if (path.isPresent()) {
      return ManifestFiles.read(call.scope().providerDirectory(), path.get());
    }
    if (call.config().get("manifest") instanceof List<?> list) {
      return list.stream().map(RenderedManifest.class::cast).toList();
    }
    throw RefusedException.last(
        "invalid-config", "neither manifest nor path is given", "Add one of them to the step.");
  }

  List<Manifest> plan(List<RenderedManifest> documents)
      throws RefusedException, ClusterDownException, InterruptedException {
    return new ManifestPlan(cluster, reach, config.text("namespace"), session.left()).of(documents);
  }

  private RenderedManifest namespace() throws RefusedException {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put(
        "name",
        config.text("namespace").isPresent() && config.text("name").isEmpty()
            ? config.required("namespace")
            : config.required("name"));
    Map<String, Object> labels = Values.map(call.config().get("labels"));
    if (!labels.isEmpty()) {
      metadata.put("labels", labels);
    }
    return new RenderedManifest(
        Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", metadata), Optional.empty());
  }

  /** A namespace that another resource of the team made serves this one, too. */
  private Result createNamespace()
      throws RefusedException, ClusterDownException, InterruptedException {
    List<RenderedManifest> documents = List.of(namespace());
    ObjectRef ref = plan(documents).getFirst().ref();
    Optional<ClusterObject> made = ofTeam(ref);
    if (made.isEmpty()) {
      try {
        return apply(documents);
      } catch (RefusedException e) {
        made = ofTeam(ref); // the other resource may have been at it at the same time
        if (made.isEmpty()) {
          throw e;
        }
      }
    }
    note(ref + ": another resource of team '" + call.scope().team() + "' has made it");
    outputs.add(ref, made.get());
    return succeeded();
  }

  private Optional<ClusterObject> ofTeam(ObjectRef ref)
      throws RefusedException, ClusterDownException, InterruptedException {
    String team = call.scope().team();
    return objects(ref)
        .get(ref)
        .filter(object -> !object.terminating())
        .filter(object -> session.stamp().read(object) == Stamp.Verdict.FOREIGN)
        .filter(object -> object.annotation(Stamp.TEAM).filter(team::equals).isPresent());
  }

  private Result apply(List<RenderedManifest> documents)
      throws RefusedException, ClusterDownException, InterruptedException {
    List<Manifest> plan = plan(documents);
    Map<ObjectRef, Look> looks = new LinkedHashMap<>();
    for (Manifest manifest : plan) {
      ClusterObjects objects = objects(manifest.ref());
      looks.put(
          manifest.ref(),
          plan.size() == 1
              ? objects.glance(manifest, config.adoption())
              : objects.look(manifest, config.adoption()));
    }
    List<ObjectRef> unready = new ArrayList<>();
    List<Done> done = new ArrayList<>();
    for (Manifest manifest : plan) {
      boolean definition = ApplyOrder.definition(manifest.ref().kind());
      if (!unready.isEmpty() && !definition) {
        break;
      }
      ClusterObject object =
          apply(manifest, Objects.requireNonNull(looks.get(manifest.ref()))).object();
      done.add(new Done(manifest, object));
      if (definition && Awaited.ESTABLISHED.missing(Optional.of(object), rules).isPresent()) {
        unready.add(manifest.ref());
      }
    }
    if (!unready.isEmpty()) {
      return parked(unready.getFirst() + " to be established", "not yet");
    }
    // As they are written, not as they were applied.
    done.sort(Comparator.comparingInt(each -> documents.indexOf(each.manifest().document())));
    done.forEach(each -> outputs.add(each.manifest().ref(), each.object()));
    return succeeded();
  }

  /** An object that was applied. */
  private record Done(Manifest manifest, ClusterObject object) {}

  private Applied apply(Manifest manifest, Look look)
      throws RefusedException, ClusterDownException, InterruptedException {
    Applied applied =
        objects(manifest.ref()).apply(manifest, look, config.conflicts(), config.adoption());
    note(manifest.ref() + ": " + applied.change().name().toLowerCase(Locale.ROOT));
    if (applied.change() != Change.NONE) {
      outputs.changed();
    }
    return applied;
  }

  Pods pods() {
    return new Pods(cluster, session, rules);
  }

  Result succeeded() {
    return new Result.Succeeded(outputs.of(call.step()), outputs.secrets(call.step()));
  }

  ObjectOutputs outputs() {
    return outputs;
  }

  /** The one object that the step names. */
  ObjectRef named() throws RefusedException, ClusterDownException, InterruptedException {
    RenderedManifest document =
        new RenderedManifest(
            Map.of(
                "apiVersion",
                config.text("apiVersion").orElse("v1"),
                "kind",
                config.required("kind"),
                "metadata",
                Map.of("name", config.required("name"))),
            Optional.empty());
    return plan(List.of(document)).getFirst().ref();
  }

  private Result get() throws RefusedException, ClusterDownException, InterruptedException {
    ObjectRef ref = named();
    Optional<ClusterObject> object = objects(ref).get(ref);
    if (object.isEmpty()) {
      throw RefusedException.last(
          StepError.MISSING, "there is no " + ref + " in cluster '" + cluster.name() + "'", "");
    }
    outputs.add(ref, object.get());
    return succeeded();
  }

  private Result patch() throws RefusedException, ClusterDownException, InterruptedException {
    ObjectRef ref = named();
    ClusterObject after =
        objects(ref).patch(ref, WrittenPatch.of(config, call.config().get("patch")));
    note(ref + ": patched");
    outputs.add(ref, after);
    outputs.changed();
    return succeeded();
  }

  private Result await() throws RefusedException, ClusterDownException, InterruptedException {
    Awaited awaited = Awaited.parse(config.required("for"));
    ObjectRef ref = named();
    Optional<ClusterObject> object = objects(ref).get(ref);
    Optional<String> missing = awaited.missing(object, rules);
    if (missing.isPresent()) {
      String what = ref + " to be " + config.required("for");
      return parked(what, pods().explained(ref, object, missing.get()));
    }
    object.ifPresentOrElse(live -> outputs.add(ref, live), () -> outputs.gone(ref));
    return succeeded();
  }

  void note(String text) {
    call.log().line(StepLog.Stream.NOTE, text);
  }

  Instant now() {
    return clock.instant();
  }
}
