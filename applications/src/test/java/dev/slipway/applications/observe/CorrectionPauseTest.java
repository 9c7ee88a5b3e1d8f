package dev.slipway.applications.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.resolve.AdminConfig.Observe.Drift;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often drift is corrected that comes back at once. */
class CorrectionPauseTest {
  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

  @ParameterizedTest
  @CsvSource({"0,0", "2,0", "3,1", "4,2", "5,4", "7,16", "8,30", "50,30"})
  void the_pause_grows_with_each_correction(int corrections, int minutes) {
    List<Instant> times = new ArrayList<>();
    for (int i = 0; i < corrections; i++) {
      times.add(BEGIN.minusSeconds(i));
    }
    CorrectionPause pause = CorrectionPause.after(times);
    assertThat(pause.lasts(BEGIN.plus(Duration.ofMinutes(minutes)).minusMillis(1)))
        .isEqualTo(minutes > 0);
    assertThat(pause.lasts(BEGIN.plus(Duration.ofMinutes(minutes)))).isFalse();
  }

  @Test
  void a_fight_of_a_day_costs_three_corrections_an_hour() {
    List<Instant> all = new ArrayList<>();
    for (Instant now = BEGIN;
        now.isBefore(BEGIN.plus(Duration.ofDays(1)));
        now = now.plusSeconds(1)) {
      Instant since = now.minus(CorrectionPause.COUNTED);
      if (!CorrectionPause.after(all.stream().filter(since::isBefore).toList()).lasts(now)) {
        all.add(now);
      }
    }
    assertThat(all).hasSizeBetween(24, 72);
  }

  @Test
  void the_annotation_of_a_resource_stands_above_the_configuration() {
    Map<String, Object> written = Map.of("annotations", Map.of(DriftPolicy.ANNOTATION, "ignore"));
    assertThat(DriftPolicy.of(written, Drift.CORRECT)).isEqualTo(Drift.IGNORE);
    assertThat(DriftPolicy.of(Map.of(), Drift.CORRECT)).isEqualTo(Drift.CORRECT);
    assertThat(DriftPolicy.of("unknown", Drift.REPORT)).isEqualTo(Drift.REPORT);
  }
}
