package dev.slipway.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.health.assess.HealthRules;
import dev.slipway.kubernetes.watch.OwnedChange.What;
import dev.slipway.kubernetes.watch.WatchedObject.Mark;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which events about an object make a look. */
class WatchedObjectTest {
  private static final Mark MARK = new Mark("slipway.dev/owner", "slipway:");

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: web
        uid: one
        resourceVersion: '7'
        generation: 3
        labels: {slipway.dev/owner: abc}
        managedFields:
        - {manager: 'slipway:abc', operation: Apply, time: '10:00', fieldsV1: {f:spec: {f:a: {}}}}
        - {manager: kubelet, operation: Update, time: '10:01', fieldsV1: {f:status: {}}}
      status: {phase: Running, note: x, conditions: [{type: Ready, status: 'True'}]}
      """;

  private static WatchedObject of(String yaml) {
    return WatchedObject.of(
        Values.map(
            Document.parse("pod", yaml, Limits.DEFAULT, new Diagnostics()).orElseThrow().plain()),
        MARK,
        HealthRules.BUILT_IN);
  }

  private static Optional<What> after(String from, String to) {
    String changed = POD.replace(from, to);
    assertThat(changed).isNotEqualTo(POD);
    return of(POD).changedTo(of(changed));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "note: x > note: y",
        "time: '10:01' > time: '10:02'",
        "resourceVersion: '7' > resourceVersion: '8'",
        "generation: 3 > generation: 4",
        "f:status: {} > f:status: {f:x: {}}",
      })
  void noise_makes_none(String from, String to) {
    assertThat(after(from, to)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "uid: one > uid: two > DELETED",
        "f:spec: {f:a: {}} > f:spec: {} > FIELDS",
        "phase: Running > phase: Failed > HEALTH",
      })
  void what_others_did_makes_one(String from, String to, What what) {
    assertThat(after(from, to)).contains(what);
  }

  @Test
  void what_we_applied_makes_none_unless_events_were_missed() {
    WatchedObject after =
        of(POD.replace("f:a: {}", "f:a: {}, f:b: {}").replace("time: '10:00'", "time: '10:05'"));
    assertThat(of(POD).changedTo(after)).isEmpty();
    assertThat(of(POD).missedChange(after)).contains(What.FIELDS);
  }

  @Test
  void the_owner_is_that_of_the_annotation_and_otherwise_of_the_label() {
    assertThat(of(POD).owner()).isEqualTo("abc");
    assertThat(
            of(POD.replace("labels:", "annotations: {slipway.dev/owner: whole}\n  labels:"))
                .owner())
        .isEqualTo("whole");
    assertThat(of(POD).isVersion("7")).isTrue();
    assertThat(of(POD).isVersion("8")).isFalse();
  }
}
