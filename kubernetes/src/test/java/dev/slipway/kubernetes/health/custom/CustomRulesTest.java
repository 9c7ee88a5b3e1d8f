package dev.slipway.kubernetes.health.custom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.assess.HealthRules;
import dev.slipway.kubernetes.health.assess.Manifests;
import dev.slipway.kubernetes.health.assess.RuleVerdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CustomRulesTest {
  private static final LiveObject WIDGET =
      Manifests.one(
          """
          apiVersion: example.org/v1
          kind: Widget
          metadata: {name: blue, generation: 2}
          status: {observedGeneration: 2, ready: 3, phase: Up, conditions: [{type: Ready, status: 'True'}]}
          """);

  @TempDir Path directory;

  private void script(String place, String message) throws IOException {
    Path file = directory.resolve(place).resolve("health.lua");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "return {status='Healthy', message='" + message + "'}");
  }

  private void yaml(String text) throws IOException {
    Files.writeString(directory.resolve("rules.yaml"), text);
  }

  private HealthRules rules() {
    Diagnostics diagnostics = new Diagnostics();
    HealthRules rules = new HealthRules(read(diagnostics));
    assertThat(diagnostics.toString()).isEmpty();
    return rules;
  }

  private List<CustomRules> read(Diagnostics diagnostics) {
    return RuleDirectory.read(directory, InstantSource.fixed(Instant.EPOCH), diagnostics);
  }

  private String errors() {
    Diagnostics diagnostics = new Diagnostics();
    read(diagnostics);
    return diagnostics.toString().replace(directory.toString(), "DIR");
  }

  private String judged(LiveObject object) {
    RuleVerdict verdict = rules().judge(object, Neighbours.NONE);
    return verdict.health().map(h -> h.status().text() + " " + h.message()).orElse("");
  }

  @Test
  void the_most_exact_pattern_goes_first() throws IOException {
    script("_/_", "any");
    assertThat(judged(WIDGET)).isEqualTo("Healthy any");
    script("_.org/_", "organisation");
    assertThat(judged(WIDGET)).isEqualTo("Healthy organisation");
    script("example.org/W_", "initial");
    assertThat(judged(WIDGET)).isEqualTo("Healthy initial");
    script("example.org/Widget", "exact");
    assertThat(judged(WIDGET)).isEqualTo("Healthy exact");
    yaml(
        """
        apiVersion: slipway.dev/v1alpha1
        kind: HealthCheck
        metadata: {name: one}
        spec:
          match: {group: example.org, kind: Widget, name: blue}
          lua: return {status='Healthy', message='named'}
        """);
    assertThat(judged(WIDGET)).isEqualTo("Healthy named");
  }

  @Test
  void a_kind_of_the_core_group_has_a_directory_of_its_own() throws IOException {
    script("ConfigMap", "core");
    LiveObject map = Manifests.one("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
    assertThat(judged(map)).isEqualTo("Healthy core");
    LiveObject other = Manifests.one("{apiVersion: x/v1, kind: ConfigMap, metadata: {name: a}}");
    assertThat(judged(other)).isEmpty();
  }

  @Test
  void both_forms_of_argocd_cm_are_read() throws IOException {
    yaml(
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: argocd-cm, namespace: argocd}
        data:
          url: https://argocd.example.org
          resource.customizations.health.example.org_Widget: |
            return {status = "Healthy", message = "key"}
          resource.customizations.useOpenLibs.example.org_Widget: "true"
          resource.customizations.health.ConfigMap: |
            return {status = "Degraded", message = "core"}
          resource.customizations.ignoreDifferences.all: "x"
          resource.customizations: |
            example.org/Widget:
              health.lua: return {status = "Healthy", message = "older"}
            "*.example.com/*":
              health.lua: |
                return {status = "Suspended", message = obj.kind:lower()}
              health.lua.useOpenLibs: true
            apps/Deployment:
              ignoreDifferences: "..."
        """);
    assertThat(judged(WIDGET)).isEqualTo("Healthy key");
    assertThat(judged(Manifests.one("{apiVersion: v1, kind: ConfigMap}")))
        .isEqualTo("Degraded core");
    assertThat(judged(Manifests.one("{apiVersion: a.example.com/v1, kind: Gadget}")))
        .isEqualTo("Suspended gadget");
    assertThat(judged(Manifests.one("{apiVersion: v1, kind: Pod, status: {phase: Pending}}")))
        .isEqualTo("Progressing ");
  }

  @Test
  void a_pattern_with_a_group_never_means_the_core_group_in_argocd_cm() throws IOException {
    yaml(
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: argocd-cm}
        data:
          resource.customizations: |
            "*/*":
              health.lua: return {status = "Healthy", message = "any"}
        """);
    assertThat(judged(WIDGET)).isEqualTo("Healthy any");
    assertThat(judged(Manifests.one("{apiVersion: v1, kind: ConfigMap}"))).isEmpty();
  }

  @Test
  void conditions_in_cel_say_current_in_progress_or_failed() throws IOException {
    yaml(
        """
        apiVersion: slipway.dev/v1alpha1
        kind: HealthCheck
        metadata: {name: widgets}
        spec:
          match: {group: example.org, kind: Widget}
          cel:
            current: status.phase == 'Up' && status.conditions.exists(c, c.type == 'Ready')
            inProgress: status.ready < 2
            failed: status.?broken.orValue(false)
        """);
    assertThat(judged(WIDGET)).isEqualTo("Healthy ");
    assertThat(judged(widget("{observedGeneration: 2, ready: 1}"))).startsWith("Progressing ");
    assertThat(judged(widget("{observedGeneration: 2, ready: 2, broken: true}")))
        .startsWith("Degraded ");
    assertThat(judged(widget("{observedGeneration: 1, ready: 3, phase: Up}")))
        .startsWith("Progressing ");
    assertThat(judged(widget("{observedGeneration: 2}"))).startsWith("Progressing ");
    assertThat(judged(widget("{observedGeneration: 2, ready: few}"))).startsWith("Unknown ");
    assertThat(judged(Manifests.one("{apiVersion: example.org/v1, kind: Widget}")))
        .startsWith("Progressing ");
  }

  private static LiveObject widget(String status) {
    return Manifests.one(
        "{apiVersion: example.org/v1, kind: Widget, metadata: {generation: 2}, status: "
            + status
            + "}");
  }

  @Test
  void a_probe_lets_warnings_of_ceph_pass() throws IOException {
    yaml(
        """
        apiVersion: slipway.dev/v1alpha1
        kind: HealthCheck
        metadata: {name: ceph}
        spec:
          match: {group: ceph.rook.io, kind: CephCluster}
          probe: {type: ceph, params: {allowWarn: true}}
        """);
    assertThat(
            judged(
                Manifests.one(
                    "{apiVersion: ceph.rook.io/v1, kind: CephCluster, status: {phase: Ready, ceph:"
                        + " {health: HEALTH_WARN}}}")))
        .startsWith("Healthy");
  }

  @Test
  void everything_that_is_wrong_has_a_place() throws IOException {
    script("example.org/Widget", "first");
    Files.writeString(directory.resolve("example.org/Widget/health.lua"), "local x\nx = = 2\n");
    yaml(
        """
        apiVersion: slipway.dev/v1alpha1
        kind: HealthCheck
        metadata: {name: a}
        spec:
          match: {kind: Pod}
          lua: |
            local x = 1
            x = = 2
        ---
        apiVersion: slipway.dev/v1alpha1
        kind: HealthCheck
        metadata: {name: b}
        spec:
          match: {kind: Node, colour: red}
          cel: {current: "status.phase ==", failed: "1 + 1"}
        ---
        apiVersion: slipway.dev/v1alpha1
        kind: HealthCheck
        metadata: {name: c}
        spec:
          match: {kind: Node}
          lua: return {}
          cel: {current: "true"}
        ---
        apiVersion: v1
        kind: Secret
        metadata: {name: d}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: argocd-cm}
        data:
          resource.customizations.health.a_b_c: return {}
          resource.customizations.useOpenLibs.Pod: "maybe"
          resource.customizations.health.Pod: |
            return {}
            x = = 2
          resource.customizations: |
            Pod: [
        """);
    assertThat(errors())
        .contains("DIR/example.org/Widget/health.lua:2:1: not valid Lua: ")
        .contains("DIR/rules.yaml:8:1: spec.lua: not valid Lua: ")
        .contains("DIR/rules.yaml:14:23: spec.match.colour: ")
        .contains("DIR/rules.yaml:15:18: spec.cel.current: not valid CEL: ")
        .contains("spec.cel.failed: not valid CEL: a condition is true or false")
        .contains("exactly one of lua, cel and probe is needed")
        .contains("DIR/rules.yaml:25:1: this holds no rules")
        .contains("expected resource.customizations.health.GROUP_KIND")
        .contains("DIR/rules.yaml:34:44: data.")
        .contains("DIR/rules.yaml:37:5: data.")
        .contains("DIR/rules.yaml:40:5: data.");
  }

  @Test
  void two_rules_of_equal_rank_are_an_error() throws IOException {
    script("example.org/Widget", "first");
    yaml(
        """
        apiVersion: slipway.dev/v1alpha1
        kind: HealthCheck
        metadata: {name: widgets}
        spec:
          match: {group: example.org, kind: Widget}
          lua: return {}
        """);
    assertThat(errors())
        .contains("there is already a rule for example.org/Widget: ")
        .contains("Remove one of them.");
  }

  @Test
  void a_directory_that_is_not_there_is_an_error() {
    Diagnostics diagnostics = new Diagnostics();
    RuleDirectory.read(directory.resolve("gone"), InstantSource.system(), diagnostics);
    assertThat(diagnostics.toString()).contains("gone:1:1: cannot be read: no such directory");
  }

  @Test
  void patterns_match_as_people_expect() {
    LiveObject crossplane = Manifests.one("{apiVersion: s3.aws.crossplane.io/v1, kind: Bucket}");
    assertThat(new KindPattern("*.crossplane.io", "*").matches(crossplane.groupKind())).isTrue();
    assertThat(new KindPattern("*crossplane*", "B?cket").matches(crossplane.groupKind())).isTrue();
    assertThat(new KindPattern("crossplane.io", "*").matches(crossplane.groupKind())).isFalse();
    assertThat(new KindPattern("*", "Buck").matches(crossplane.groupKind())).isFalse();
    assertThat(new KindPattern("*a*a*a*a*a*a*b", "*").matches(crossplane.groupKind())).isFalse();
  }
}
