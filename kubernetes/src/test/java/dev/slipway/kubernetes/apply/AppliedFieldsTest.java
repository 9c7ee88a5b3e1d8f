package dev.slipway.kubernetes.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.value.Values;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An apply is left out exactly when we own the manifest's fields and their values are there. */
class AppliedFieldsTest {
  private static final String MANIFEST =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: web, namespace: red, labels: {a: b}}
      spec:
        type: ClusterIP
        selector: {app: web}
        ports: [{name: http, port: 80}]
        ips: [10.0.0.1]
        limits: {cpu: 1000m}
      """;

  private static final String LIVE =
      """
      apiVersion: v1
      kind: Service
      metadata:
        name: web
        namespace: red
        uid: u
        labels: {a: b, theirs: x}
        managedFields:
        - manager: other
          operation: Update
          apiVersion: v1
          fieldsV1: {}
        - manager: slipway:r
          operation: Apply
          apiVersion: v1
          fieldsV1:
            f:metadata: {f:labels: {f:a: {}}}
            f:spec:
              f:type: {}
              f:selector: {}
              f:ports:
                'k:{"port":80,"protocol":"TCP"}': {.: {}, f:name: {}, f:port: {}}
              f:ips: {'v:"10.0.0.1"': {}}
              f:limits: {f:cpu: {}}
      spec:
        type: ClusterIP
        selector: {app: web}
        clusterIP: 10.0.0.7
        ports: [{name: http, port: 80, protocol: TCP, targetPort: 80}]
        ips: [10.0.0.1, 10.0.0.2]
        limits: {cpu: '1'}
      """;

  private static Map<String, Object> yaml(String text) {
    return Values.map(
        Document.parse("t", text, Limits.DEFAULT, new Diagnostics()).orElseThrow().plain());
  }

  private static boolean same(String manifest, String live) {
    assertThat(manifest.equals(MANIFEST) && live.equals(LIVE)).isFalse();
    return AppliedFields.same(yaml(manifest), new ClusterObject(yaml(live)), "slipway:r");
  }

  @Test
  void defaults_of_the_server_and_fields_of_others_are_no_difference() {
    assertThat(AppliedFields.same(yaml(MANIFEST), new ClusterObject(yaml(LIVE)), "slipway:r"))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "type: ClusterIP=>type: NodePort",
        "{app: web}=>{app: web, tier: front}",
        "port: 80}=>port: 81}",
        "name: http, port=>name: https, port",
        "[10.0.0.1]=>[10.0.0.1, 10.0.0.9]",
        "[10.0.0.1]=>[10.0.0.2]",
        "cpu: 1000m=>cpu: 1001m",
        "labels: {a: b}=>labels: {a: c}",
        "labels: {a: b}=>labels: {a: b, c: d}",
        "labels: {a: b}=>labels: {}",
        "apiVersion: v1=>apiVersion: v2",
      })
  void a_changed_added_or_removed_field_is_a_difference(String change) {
    String[] parts = change.split("=>");
    assertThat(same(MANIFEST.replace(parts[0], parts[1]), LIVE)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "  type: ClusterIP=>  type: NodePort",
        "        f:type: {}\n=>",
        "f:name: {}, f:port=>f:port",
        "ips: [10.0.0.1, 10.0.0.2]=>ips: [10.0.0.2]",
        "operation: Apply=>operation: Update",
        "manager: slipway:r=>manager: slipway:other",
        "f:limits: {f:cpu: {}}=>f:limits: {f:cpu: {}, f:memory: {}}",
        "a: b, theirs=>theirs",
      })
  void a_field_that_another_client_changed_or_took_is_a_difference(String change) {
    String[] parts = change.split("=>", -1);
    String changed = LIVE.replace(parts[0], parts[1]);
    assertThat(changed).isNotEqualTo(LIVE);
    assertThat(same(MANIFEST, changed)).isFalse();
  }

  @Test
  void an_amount_is_compared_as_an_amount_only_where_kubernetes_has_one() {
    assertThat(same(MANIFEST.replace("1000m", "1"), LIVE)).isTrue();
    assertThat(
            same(
                MANIFEST.replace("{app: web}", "{app: 1000m}"),
                LIVE.replace("selector: {app: web}", "selector: {app: '1'}")))
        .isFalse();
  }
}
