package dev.slipway.engine.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.health.Observation.Demand;
import dev.slipway.engine.health.Observation.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ObservationTest {
  private static final Instant T = Instant.parse("2026-03-01T10:00:00Z");
  private static final NodeRef NODE = new NodeRef("thing", "one", "default");

  private static Sample sample(Health health, int second, String request) {
    return new Sample(
        NODE, health, T.plusSeconds(second), Optional.of(request), "1", List.of(), "", "read");
  }

  private static Sample sample(Health health, int second) {
    return sample(health, second, "a");
  }

  @ParameterizedTest
  @EnumSource(Health.class)
  void health_is_read_as_it_is_written(Health health) {
    assertThat(Health.parse(health.text())).contains(health);
    assertThat(Health.parse(health.name())).isEmpty();
  }

  @Test
  void the_same_health_again_keeps_since() {
    Observation known =
        Observation.first(sample(Health.HEALTHY, 0)).then(sample(Health.HEALTHY, 9));
    assertThat(known.since()).isEqualTo(T);
    assertThat(known.sample().at()).isEqualTo(T.plusSeconds(9));
  }

  @Test
  void another_health_begins_anew() {
    Observation known =
        Observation.first(sample(Health.HEALTHY, 0))
            .then(sample(Health.DEGRADED, 5))
            .then(sample(Health.DEGRADED, 8));
    assertThat(known.since()).isEqualTo(T.plusSeconds(5));
  }

  @Test
  void another_request_begins_anew() {
    Observation known =
        Observation.first(sample(Health.HEALTHY, 0)).then(sample(Health.HEALTHY, 5, "b"));
    assertThat(known.since()).isEqualTo(T.plusSeconds(5));
  }

  @Test
  void what_was_there_once_counts_as_seen_until_the_next_request() {
    Observation gone =
        Observation.first(sample(Health.MISSING, 0))
            .then(sample(Health.PROGRESSING, 1))
            .then(sample(Health.MISSING, 2));
    assertThat(Observation.first(sample(Health.MISSING, 0)).seen()).isFalse();
    assertThat(gone.seen()).isTrue();
    assertThat(gone.then(sample(Health.MISSING, 3, "b")).seen()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "HEALTHY,-1,NO_GATE,NONE", "DEGRADED,-1,GATE_WAITS,NONE", "DEGRADED,0,GATE_WAITS,NONE",
    "HEALTHY,1,NO_GATE,NONE", "HEALTHY,59,NO_GATE,NONE", "HEALTHY,60,NO_GATE,REFRESH",
    "HEALTHY,0,GATE_WAITS,NONE", "HEALTHY,1,GATE_WAITS,REFRESH", "DEGRADED,1,NO_GATE,CHANGE",
    "DEGRADED,60,GATE_WAITS,CHANGE", "MISSING,1,NO_GATE,CHANGE", "UNKNOWN,1,NO_GATE,CHANGE",
  })
  void an_older_sample_changes_nothing_and_an_unchanged_one_is_rarely_written(
      Health health, int second, Demand demand, Effect effect) {
    Observation known = Observation.first(sample(Health.HEALTHY, 0));
    assertThat(known.effect(sample(health, second), demand)).isEqualTo(effect);
  }

  @Test
  void the_same_health_for_another_reason_is_written() {
    Observation known = Observation.first(sample(Health.HEALTHY, 0));
    assertThat(known.effect(sample(Health.HEALTHY, 1, "b"), Demand.NO_GATE))
        .isEqualTo(Effect.RENEWAL);
    Sample other =
        new Sample(
            NODE,
            Health.HEALTHY,
            T.plus(Duration.ofMillis(1)),
            Optional.of("a"),
            "2",
            List.of(),
            "",
            "read");
    assertThat(known.effect(other, Demand.NO_GATE)).isEqualTo(Effect.RENEWAL);
  }

  @Test
  void a_stale_sample_belongs_to_no_request() {
    assertThatThrownBy(
            () ->
                new Sample(
                    NODE,
                    Health.HEALTHY,
                    T,
                    Optional.of("a"),
                    "1",
                    List.of(new Stale("observedGeneration", "4", "3")),
                    "",
                    "Deployment"))
        .hasMessageContaining("thing:one");
  }
}
