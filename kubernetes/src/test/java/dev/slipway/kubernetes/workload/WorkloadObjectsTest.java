package dev.slipway.kubernetes.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.intake.Canonical;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.value.Sha256;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.JsonPath;
import dev.slipway.kubernetes.apply.RefusedException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Containers of a Score document become fields of objects; what is secret is in the Secret. */
class WorkloadObjectsTest {
  private static final String PASSWORD = "correct horse battery staple";

  private static List<Map<String, Object>> objects(String containers) throws RefusedException {
    return objects(containers, "{}");
  }

  private static List<Map<String, Object>> objects(String containers, String service)
      throws RefusedException {
    Map<String, Object> written = new LinkedHashMap<>();
    written.put("name", "app-shop-1234abcd");
    written.put("application", "shop");
    written.put("containers", yaml(containers));
    written.put("service", yaml(service));
    return WorkloadObjects.of(
        ScoreWorkload.of(written),
        new Secrecy(Secrets.of(List.of(PASSWORD)), text -> "keyed-" + Sha256.hex("key" + text)));
  }

  private static Object yaml(String text) {
    return Document.parse("score.yaml", text, Limits.PROVIDER, new Diagnostics())
        .orElseThrow()
        .plain();
  }

  private static Map<String, Object> one(String kind, List<Map<String, Object>> objects) {
    return objects.stream().filter(o -> kind.equals(o.get("kind"))).findFirst().orElseThrow();
  }

  private static Object at(String path, Map<String, Object> object) {
    return JsonPath.parse(path).in(object).map(JsonPath.Found::value).orElse(null);
  }

  private static Map<String, Object> pod(String containers) throws RefusedException {
    return Values.map(at("$.spec.template.spec", one("Deployment", objects(containers))));
  }

  /** Each field of a container, and what it becomes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          command: [run, '-x']                                   | $.containers[0].command                        | ["run","-x"]
          args: ['$(HOME)', '$$', '$x']                          | $.containers[0].args                           | ["$$(HOME)","$$$$","$$x"]
          variables: {A: 'b'}                                    | $.containers[0].env                            | [{"name":"A","value":"b"}]
          variables: {A: '$(HOME)'}                              | $.containers[0].env[0].value                   | "$$(HOME)"
          variables: {B: 2, A: true}                             | $.containers[0].env                            | [{"name":"A","value":"true"},{"name":"B","value":"2"}]
          variables: {A: "x\\n- name: B"}                         | $.containers[0].env                            | [{"name":"A","value":"x\\n- name: B"}]
          variables: {}                                          | $.containers[0].env                            | null
          resources: {limits: {memory: 5K, cpu: 250m}}           | $.containers[0].resources.limits.memory        | "5k"
          resources: {limits: {memory: 5Ki, cpu: 250m}}          | $.containers[0].resources.limits.memory        | "5Ki"
          resources: {requests: {cpu: '0.5'}}                    | $.containers[0].resources                      | {"requests":{"cpu":"0.5"}}
          livenessProbe: {httpGet: {path: /, port: 80}}          | $.containers[0].livenessProbe                  | {"httpGet":{"path":"/","port":80}}
          readinessProbe: {exec: {command: [ok]}, httpGet: {path: /, port: 80}} | $.containers[0].readinessProbe  | {"exec":{"command":["ok"]}}
          readinessProbe: {httpGet: {path: /, port: 80, scheme: HTTPS, httpHeaders: [{name: Host, value: a}]}} | $.containers[0].readinessProbe.httpGet.httpHeaders | [{"name":"Host","value":"a"}]
          files: {/etc/a: {content: x, mode: '0440'}}            | $.volumes[0].configMap.items[0].mode           | 288
          files: {/etc/a: {content: x}}                          | $.containers[0].volumeMounts[0].mountPath      | "/etc/a"
          volumes: {/data: {source: disk, path: sub}}            | $.containers[0].volumeMounts[0].subPath        | "sub"
          volumes: {/data: {source: disk, readOnly: true}}       | $.containers[0].volumeMounts[0].readOnly       | true
          volumes: {/data: {source: disk}, /more: {source: disk}} | $.volumes[0].persistentVolumeClaim.claimName  | "disk"
          variables: {A: b}                                      | $.automountServiceAccountToken                 | false
          variables: {A: b}                                      | $.containers[0].securityContext                | {"allowPrivilegeEscalation":false}
          """)
  void a_field_becomes(String field, String path, String expected) throws Exception {
    Map<String, Object> pod = pod("{web: {image: i, " + field.strip() + "}}");
    assertThat(Canonical.text(at(path.strip(), pod)))
        .isEqualTo(Canonical.text(Json.read(expected.strip())));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {web: {}}                                                                   | containers.web.image is missing
          {web: {image: .}}                                                           | containers.web.image is '.'
          {web: [image]}                                                              | containers.web has to be a map
          {web: {image: {a: b}}}                                                      | containers.web.image has to be a text
          {web: {image: i, command: ls}}                                              | containers.web.command has to be a list
          {web: {image: i, command: [{a: b}]}}                                        | containers.web.command[0].value is missing
          {web: {image: i, volumes: {/a: {source: /etc}}}}                            | names no claim of the cluster: '/etc'
          {web: {image: i, volumes: {/a: {source: '../x'}}}}                          | names no claim of the cluster
          {web: {image: i, volumes: {/a: {source: {hostPath: /}}}}}                   | containers.web.volumes./a.source has to be a text
          {web: {image: i, files: {/a: {}}}}                                          | containers.web.files./a.content is missing
          {web: {image: i, files: {/a: {content: x, mode: '4777'}}}}                  | is no mode of a file
          {web: {image: i, files: {/a: {binaryContent: '%'}}}}                        | is not base64
          {web: {image: i, livenessProbe: {httpGet: {path: /, port: 80, host: h}}}}   | cannot be probed
          {web: {image: i, livenessProbe: {httpGet: {path: /, port: '80; x'}}}}       | is no port
          {web: {image: i, before: {db: {ready: started}}}}                           | names no container
          {web: {image: i, before: {web: {ready: started}}}}                          | wait for each other
          {}                                                                          | has no container
          {'../web': {image: i}}                                                      | is no name of a container
          {'a.b': {image: i}}                                                         | is no name of a container
          """)
  void what_no_pod_can_be_is_refused(String containers, String why) {
    assertThatThrownBy(() -> objects(containers.strip()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(why.strip());
  }

  @Test
  void a_workload_without_a_service_files_and_secrets_is_one_deployment() throws Exception {
    assertThat(objects("{web: {image: i}}")).extracting("kind").containsExactly("Deployment");
    Map<String, Object> deployment = objects("{web: {image: i}}").getFirst();
    assertThat(at("$.spec.replicas", deployment)).as("an autoscaler may choose them").isNull();
    assertThat(at("$.spec.template.metadata.annotations", deployment)).isNull();
    assertThat(at("$.spec.selector.matchLabels", deployment))
        .isEqualTo(Map.of("app.kubernetes.io/instance", "app-shop-1234abcd"));
  }

  @Test
  void ports_become_a_service_for_its_pods_alone() throws Exception {
    Map<String, Object> service =
        one(
            "Service",
            objects(
                "{web: {image: i}}",
                "{ports: {http: {port: 80, targetPort: 8080}, dns: {port: 53, protocol: UDP}}}"));
    assertThat(at("$.spec.ports", service))
        .isEqualTo(
            List.of(
                Map.of("name", "dns", "port", 53, "targetPort", 53, "protocol", "UDP"),
                Map.of("name", "http", "port", 80, "targetPort", 8080, "protocol", "TCP")));
    assertThat(at("$.spec.selector", service))
        .isEqualTo(Map.of("app.kubernetes.io/instance", "app-shop-1234abcd"));
    assertThat(Values.map(service.get("spec"))).containsOnlyKeys("selector", "ports");
  }

  @Test
  void what_is_secret_is_in_the_secret_alone_and_changes_the_pods() throws Exception {
    String written =
        """
        web:
          image: i
          variables: {URL: 'postgres://u:%1$s@db', API_TOKEN: abc, PLAIN: text}
          files: {/etc/plain: {content: text}, /etc/secret: {content: 'password=%1$s'}}
        """;
    List<Map<String, Object>> objects = objects(written.formatted(PASSWORD));
    assertThat(objects).extracting("kind").containsExactly("Deployment", "ConfigMap", "Secret");
    Map<String, Object> secret = Values.map(one("Secret", objects).get("data"));
    assertThat(secret)
        .containsEntry("env.web.URL", PodContent.base64("postgres://u:" + PASSWORD + "@db"))
        .containsEntry("env.web.API_TOKEN", PodContent.base64("abc"))
        .hasSize(3);
    assertThat(Json.write(List.of(one("Deployment", objects), one("ConfigMap", objects))))
        .doesNotContain(PASSWORD, PodContent.base64(PASSWORD), "abc\"");
    String digest = digest(objects);
    assertThat(digest(objects(written.formatted(PASSWORD)))).isEqualTo(digest);
    assertThat(digest(objects(written.formatted(PASSWORD + "!")))).isNotEqualTo(digest);
  }

  private static String digest(List<Map<String, Object>> objects) {
    return String.valueOf(
        Values.map(at("$.spec.template.metadata.annotations", one("Deployment", objects)))
            .get(WorkloadObjects.CONTENT));
  }

  @Test
  void names_and_paths_never_become_keys() throws Exception {
    List<Map<String, Object>> objects =
        objects(
            """
            web:
              image: i
              variables: {"MY TOKEN: {a}": x}
              files: {"/etc/../x: y": {content: x}, "/a\\nb": {binaryContent: aGk=}}
            """);
    assertThat(Values.map(one("Secret", objects).get("data")).keySet())
        .allMatch(key -> key.matches("env\\.web\\.\\.[0-9a-f]{64}"));
    for (String field : List.of("data", "binaryData")) {
      assertThat(Values.map(one("ConfigMap", objects).get(field)).keySet())
          .hasSize(1)
          .allMatch(key -> key.matches("file\\.web\\.[0-9a-f]{16}"));
    }
  }

  @Test
  void a_container_that_others_wait_for_starts_before_them() throws Exception {
    Map<String, Object> pod =
        pod(
            """
            web: {image: i}
            log: {image: i, before: {web: {ready: started}}}
            proxy:
              image: i
              before: {web: {ready: healthy}, log: {ready: started}}
              readinessProbe: {exec: {command: [ok]}}
            init: {image: i, before: {proxy: {ready: complete}}, livenessProbe: {exec: {command: [ok]}}}
            """);
    assertThat(at("$.containers[0].name", pod)).isEqualTo("web");
    List<?> first = (List<?>) pod.get("initContainers");
    assertThat(first).extracting("name").containsExactly("init", "proxy", "log");
    assertThat(Values.map(first.getFirst())).doesNotContainKeys("restartPolicy", "livenessProbe");
    assertThat(Values.map(first.get(1)))
        .containsEntry("restartPolicy", "Always")
        .containsEntry("startupProbe", Map.of("exec", Map.of("command", List.of("ok"))));
    assertThat(Values.map(first.get(2)))
        .containsEntry("restartPolicy", "Always")
        .doesNotContainKey("startupProbe");
  }

  @Test
  void the_old_pod_lets_go_of_a_claim_before_the_new_one_comes() throws Exception {
    assertThat(rolling("{web: {image: i}}")).isEqualTo(Map.of("maxSurge", 1, "maxUnavailable", 0));
    assertThat(rolling("{web: {image: i, volumes: {/data: {source: disk}}}}"))
        .isEqualTo(Map.of("maxSurge", 0, "maxUnavailable", 1));
  }

  private static Object rolling(String containers) throws RefusedException {
    return at("$.spec.strategy.rollingUpdate", one("Deployment", objects(containers)));
  }
}
