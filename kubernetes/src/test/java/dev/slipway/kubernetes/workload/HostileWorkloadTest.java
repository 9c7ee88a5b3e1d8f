package dev.slipway.kubernetes.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.value.Sha256;
import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.apply.RefusedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Thousands of workloads whose every value is hostile, also where the schema of Score documents
 * would not let it through: the objects have the fields that the translation writes, and no other.
 */
class HostileWorkloadTest {
  private static final long SEED = 20261119;

  private static final List<Object> WORDS =
      List.of(
          "x\nspec: {hostNetwork: true}",
          "x\n---\napiVersion: v1\nkind: Secret",
          "{{ .secrets }}",
          "{\"hostPath\": {\"path\": \"/\"}}",
          "$(KUBERNETES_SERVICE_HOST)",
          "$$(X)",
          "../../../etc/shadow",
          "/var/run/secrets",
          "'; DROP TABLE x",
          "`id`",
          "a\u0000b",
          "\u202Eabc",
          "- name: x",
          "!!binary aGk=",
          "*alias",
          "9".repeat(300),
          "",
          true,
          -1,
          1.5,
          List.of("a", Map.of("b", "c")),
          Map.of("hostPath", Map.of("path", "/")),
          Map.of("secretKeyRef", Map.of("name", "other", "key", "k")));

  /** Every path of fields that a translation may have; names of the document stand as a star. */
  private static final Set<String> FIELDS =
      Set.of(
          "apiVersion",
          "kind",
          "metadata.name",
          "metadata.labels.app.kubernetes.io/instance",
          "metadata.labels.app.kubernetes.io/name",
          "spec.selector.matchLabels.app.kubernetes.io/instance",
          "spec.selector.app.kubernetes.io/instance",
          "spec.progressDeadlineSeconds",
          "spec.strategy.type",
          "spec.strategy.rollingUpdate.maxSurge",
          "spec.strategy.rollingUpdate.maxUnavailable",
          "spec.ports.name",
          "spec.ports.port",
          "spec.ports.targetPort",
          "spec.ports.protocol");

  private static final Set<String> POD =
      Set.of(
          "automountServiceAccountToken",
          "enableServiceLinks",
          "securityContext.seccompProfile.type",
          "volumes.name",
          "volumes.configMap.name",
          "volumes.configMap.items.key",
          "volumes.configMap.items.path",
          "volumes.configMap.items.mode",
          "volumes.secret.secretName",
          "volumes.secret.items.key",
          "volumes.secret.items.path",
          "volumes.secret.items.mode",
          "volumes.persistentVolumeClaim.claimName");

  private static final Set<String> CONTAINER =
      Set.of(
          "name",
          "image",
          "command",
          "args",
          "restartPolicy",
          "env.name",
          "env.value",
          "env.valueFrom.secretKeyRef.name",
          "env.valueFrom.secretKeyRef.key",
          "volumeMounts.name",
          "volumeMounts.mountPath",
          "volumeMounts.subPath",
          "volumeMounts.readOnly",
          "resources.limits.cpu",
          "resources.limits.memory",
          "resources.requests.cpu",
          "resources.requests.memory",
          "livenessProbe.exec.command",
          "livenessProbe.httpGet.path",
          "livenessProbe.httpGet.port",
          "livenessProbe.httpGet.scheme",
          "livenessProbe.httpGet.httpHeaders.name",
          "livenessProbe.httpGet.httpHeaders.value",
          "readinessProbe.exec.command",
          "securityContext.allowPrivilegeEscalation");

  private final Random random = new Random(SEED);

  private Object word() {
    return WORDS.get(random.nextInt(WORDS.size()));
  }

  private Object or(Object usual) {
    return random.nextInt(12) == 0 ? word() : usual;
  }

  private String text() {
    Object word = word();
    return word instanceof String text && !text.isEmpty() ? text : "a" + random.nextInt(9);
  }

  private Map<String, Object> container() {
    Map<String, Object> container = new LinkedHashMap<>();
    container.put("image", or(text()));
    container.put("command", or(List.of(text(), text())));
    container.put("variables", or(Map.of(text(), or(text()), "PASSWORD", text())));
    container.put(
        "files", or(Map.of(text(), or(Map.of("content", or(text()), "mode", or("0644"))))));
    container.put("volumes", or(Map.of(text(), or(Map.of("source", or("disk"), "path", text())))));
    container.put("resources", or(Map.of("limits", or(Map.of("cpu", text(), text(), "1")))));
    container.put("livenessProbe", or(Map.of("httpGet", or(http()))));
    container.put("readinessProbe", or(Map.of("exec", or(Map.of("command", List.of(text()))))));
    container.put("before", random.nextInt(6) == 0 ? word() : Map.of());
    container.put(text(), word());
    container.put("securityContext", Map.of("privileged", true));
    return container;
  }

  private Map<String, Object> http() {
    return Map.of(
        "path", or(text()),
        "port", or(8080),
        "scheme", or("HTTP"),
        "httpHeaders", or(List.of(or(Map.of("name", text(), "value", text())))));
  }

  private List<Map<String, Object>> translated() throws RefusedException {
    Map<String, Object> written = new LinkedHashMap<>();
    written.put("name", "app-shop-1234abcd");
    written.put("application", "shop");
    written.put(
        "containers",
        random.nextInt(12) == 0
            ? Map.of("web", container(), text(), container())
            : Map.of("web", container()));
    written.put(
        "service", or(Map.of("ports", Map.of(text(), or(Map.of("port", or(80), "x", word()))))));
    return WorkloadObjects.of(
        ScoreWorkload.of(written), new Secrecy(Secrets.of(List.of("shadow")), Sha256::hex));
  }

  @Test
  void no_value_becomes_a_field_a_key_or_another_object() {
    int objects = 0;
    int refused = 0;
    Set<String> kinds = new TreeSet<>();
    for (int i = 0; i < 4_000; i++) {
      try {
        for (Map<String, Object> object : translated()) {
          objects++;
          kinds.add(String.valueOf(object.get("kind")));
          fields(object);
        }
      } catch (RefusedException e) {
        refused++;
        assertThat(e.error().code()).isEqualTo("invalid-workload");
      }
    }
    assertThat(kinds).containsExactly("ConfigMap", "Deployment", "Secret", "Service");
    assertThat(objects).as("enough were translated").isGreaterThan(1_000);
    assertThat(refused).as("and enough refused").isGreaterThan(500);
  }

  private static void fields(Map<String, Object> object) {
    Map<String, Object> rest = new LinkedHashMap<>(object);
    for (String content : List.of("data", "binaryData")) {
      assertThat(Values.map(rest.remove(content)).keySet())
          .allMatch(
              key -> key.length() <= 253 && key.matches("(env|file)\\.[^.]+\\.[A-Za-z0-9_.-]+"));
    }
    Map<String, Object> spec = new LinkedHashMap<>(Values.map(rest.get("spec")));
    Map<String, Object> template = Values.map(spec.remove("template"));
    rest.put("spec", spec);
    assertThat(paths(rest)).isSubsetOf(FIELDS);
    assertThat(Values.map(Values.map(template.get("metadata")).get("annotations")).keySet())
        .isSubsetOf(Set.of(WorkloadObjects.CONTENT));
    Map<String, Object> pod = new LinkedHashMap<>(Values.map(template.get("spec")));
    for (String list : List.of("containers", "initContainers")) {
      if (pod.remove(list) instanceof List<?> containers) {
        containers.forEach(each -> assertThat(paths(each)).isSubsetOf(CONTAINER));
      }
    }
    assertThat(paths(pod)).isSubsetOf(POD);
  }

  /** The names of the fields to every leaf. */
  private static List<String> paths(Object tree) {
    List<String> all = new ArrayList<>();
    switch (tree) {
      case Map<?, ?> map ->
          map.forEach(
              (key, value) ->
                  paths(value)
                      .forEach(path -> all.add(path.isEmpty() ? "" + key : key + "." + path)));
      case List<?> list -> list.forEach(item -> all.addAll(paths(item)));
      default -> all.add("");
    }
    return all;
  }
}
