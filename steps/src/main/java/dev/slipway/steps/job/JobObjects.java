package dev.slipway.steps.job;

import dev.slipway.engine.resolve.JobSettings;
import dev.slipway.engine.value.Values;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The Job of a program and the objects that its pod reads. */
record JobObjects(JobPlace place, JobSettings settings) {
  static final String CONTAINER = "step";

  /** How long an ended Job waits for a server that was away, and then goes by itself. */
  private static final Duration KEPT = Duration.ofHours(1);

  /** How much later than the server the cluster ends it. */
  private static final Duration GRACE = Duration.ofMinutes(2);

  private static final long SECONDS_TO_LEAVE = 10;
  private static final String CORE = "v1";

  /** It is created suspended: it begins when it is recorded that it exists. */
  Map<String, Object> job(JobProgram program, ProviderArchive provider, Duration left) {
    Map<String, Object> spec = new LinkedHashMap<>();
    spec.put("suspend", true);
    spec.put("backoffLimit", 0);
    spec.put("activeDeadlineSeconds", left.plus(GRACE).toSeconds());
    spec.put("ttlSecondsAfterFinished", KEPT.toSeconds());
    spec.put(
        "template",
        Map.of(
            "metadata",
            Map.of("labels", place.labels(), "annotations", place.annotations()),
            "spec",
            pod(program, provider)));
    Map<String, Object> job = object("batch/v1", "Job");
    job.put("spec", spec);
    return job;
  }

  private Map<String, Object> object(String version, String kind) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", place.name());
    metadata.put("namespace", place.namespace());
    metadata.put("labels", place.labels());
    metadata.put("annotations", place.annotations());
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("apiVersion", version);
    object.put("kind", kind);
    object.put("metadata", metadata);
    return object;
  }

  private Map<String, Object> pod(JobProgram program, ProviderArchive provider) {
    JobSettings.Placement placement = settings.placement();
    Map<String, Object> pod = new LinkedHashMap<>();
    pod.put("restartPolicy", "Never");
    pod.put("automountServiceAccountToken", placement.serviceAccount().isPresent());
    placement.serviceAccount().ifPresent(name -> pod.put("serviceAccountName", name));
    pod.put("enableServiceLinks", false);
    pod.put("terminationGracePeriodSeconds", SECONDS_TO_LEAVE);
    pod.put(
        "securityContext",
        Map.of(
            "runAsNonRoot",
            true,
            "runAsUser",
            settings.user(),
            "runAsGroup",
            settings.user(),
            "fsGroup",
            settings.user(),
            "seccompProfile",
            Map.of("type", "RuntimeDefault")));
    pod.put("nodeSelector", placement.nodeSelector());
    pod.put("tolerations", placement.tolerations());
    pod.put(
        "imagePullSecrets",
        placement.pullSecrets().stream().map(name -> Map.of("name", name)).toList());
    pod.put("containers", List.of(container()));
    pod.put("volumes", volumes(program, provider));
    return pod;
  }

  private Map<String, Object> container() {
    Map<String, Object> container = new LinkedHashMap<>();
    container.put("name", CONTAINER);
    container.put("image", settings.imageOf(place.call().step().type()));
    container.put("command", List.of("/bin/sh", JobProgram.INPUT + "/run"));
    container.put("workingDir", JobProgram.WORK);
    container.put(
        "env",
        List.of(
            variable(JobShell.INPUT, JobProgram.INPUT),
            variable(JobShell.WORK, JobProgram.WORK),
            variable(JobShell.PROVIDER, JobProgram.PROVIDER)));
    container.put("resources", settings.placement().resources());
    container.put(
        "securityContext",
        Map.of("allowPrivilegeEscalation", false, "capabilities", Map.of("drop", List.of("ALL"))));
    container.put(
        "volumeMounts",
        List.of(
            mount("input", JobProgram.INPUT),
            mount("work", JobProgram.WORK),
            mount("provider", JobProgram.PROVIDER)));
    return container;
  }

  private static Map<String, Object> variable(String name, String value) {
    return Map.of("name", name, "value", value);
  }

  private static Map<String, Object> mount(String volume, String path) {
    return volume.equals("work")
        ? Map.of("name", volume, "mountPath", path)
        : Map.of("name", volume, "mountPath", path, "readOnly", true);
  }

  private List<Map<String, Object>> volumes(JobProgram program, ProviderArchive provider) {
    List<Map<String, Object>> items = new ArrayList<>();
    JobShell.fixed().forEach(key -> items.add(Map.of("key", key, "path", key)));
    int i = 0;
    for (String name : program.files().keySet()) {
      items.add(Map.of("key", "w" + i++, "path", "work/" + name));
    }
    Map<String, Object> files =
        provider.files().isEmpty()
            ? Map.of("name", "provider", "emptyDir", Map.of())
            : Map.of(
                "name",
                "provider",
                "configMap",
                Map.of("name", place.name(), "items", provider.items()));
    return List.of(
        Map.of("name", "work", "emptyDir", Map.of()),
        Map.of(
            "name",
            "input",
            "secret",
            Map.of("secretName", place.name(), "defaultMode", 0440, "items", items)),
        files);
  }

  /** What only the pod may read. */
  Map<String, Object> secret(JobProgram program, Pad pad, String uid) {
    Map<String, Object> data = new LinkedHashMap<>();
    JobShell.data(program).forEach((key, text) -> data.put(key, encoded(text)));
    data.put(JobShell.PAD, Base64.getEncoder().encodeToString(pad.bytes()));
    int i = 0;
    for (String text : program.files().values()) {
      data.put("w" + i++, encoded(text));
    }
    Map<String, Object> secret = owned("Secret", uid);
    secret.put("data", data);
    return secret;
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The files of the provider. */
  Map<String, Object> files(ProviderArchive provider, String uid) {
    Map<String, Object> map = owned("ConfigMap", uid);
    map.put("binaryData", provider.data());
    return map;
  }

  /** Kubernetes deletes it with the Job. */
  private Map<String, Object> owned(String kind, String uid) {
    Map<String, Object> object = object(CORE, kind);
    object.put("immutable", true);
    Map<String, Object> metadata = new LinkedHashMap<>(Values.map(object.get("metadata")));
    metadata.put(
        "ownerReferences",
        List.of(Map.of("apiVersion", "batch/v1", "kind", "Job", "name", place.name(), "uid", uid)));
    object.put("metadata", metadata);
    return object;
  }
}
