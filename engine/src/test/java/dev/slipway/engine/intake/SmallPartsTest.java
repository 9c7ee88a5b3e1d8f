package dev.slipway.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SmallPartsTest {
  @ParameterizedTest
  @CsvSource({
    "300, PT5M, 5m",
    "0, PT0S, 0s",
    "90s, PT90S, 1m30s",
    "1h30m, PT1H30M, 1h30m",
    "7d, PT168H, 7d",
    "2w, PT336H, 14d",
    "1w1d1h1m1s1ms, PT193H1M1.001S, 8d1h1m1s1ms",
    "500ms, PT0.5S, 500ms",
    "1.5h, PT1H30M, 1h30m",
    "' 5m ', PT5M, 5m",
  })
  void durations_are_read_and_printed(String written, Duration duration, String printed) {
    assertThat(DurationText.parse(written)).contains(duration);
    assertThat(DurationText.print(duration)).isEqualTo(printed);
    assertThat(DurationText.parse(printed)).contains(duration);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-5",
        "-5m",
        "5x",
        "m",
        "5m1h",
        "1h1h",
        "1 h",
        "1e9",
        "9999999999999",
        "5200000w",
        "1.h",
        "+5",
        "٣s",
        "0x5"
      })
  void anything_else_is_no_duration(String written) {
    assertThat(DurationText.parse(written)).isEmpty();
  }

  @Test
  void a_number_is_a_duration_in_seconds() {
    assertThat(DurationText.parseValue(300L)).contains(Duration.ofMinutes(5));
    assertThat(DurationText.parseValue(-1L)).isEmpty();
    assertThat(DurationText.parseValue(1.5)).isEmpty();
    assertThat(DurationText.parseValue(true)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "postgress, postgres",
    "psotgres, postgres",
    "Postgres, postgres",
    "redsi, redis",
    "git_repo, git-repo",
    "gitrepo, git-repo",
    "volumes, volume",
    "vol, volume",
  })
  void a_slip_finds_its_name(String written, String meant) {
    var known = List.of("postgres", "redis", "git-repo", "volume");
    assertThat(Nearest.to(written, known)).contains(meant);
    assertThat(Nearest.hint(written, known)).isEqualTo("Did you mean '" + meant + "'?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"kafka", "x", "", "p", "gres"})
  void another_word_finds_none(String written) {
    assertThat(Nearest.to(written, List.of("postgres", "redis", "git-repo"))).isEmpty();
  }

  @Test
  void equal_values_have_equal_hashes_whatever_their_order() {
    var one = new LinkedHashMap<String, Object>();
    one.put("b", List.of(1L, 2.50, true));
    one.put("a", Map.of("x", "y"));
    var two = new LinkedHashMap<String, Object>();
    two.put("a", Map.of("x", "y"));
    two.put("b", Arrays.asList(1, new BigDecimal("2.5"), true));
    assertThat(Canonical.text(one)).isEqualTo("{\"a\":{\"x\":\"y\"},\"b\":[1,2.5,true]}");
    assertThat(Canonical.hash(one)).isEqualTo(Canonical.hash(two)).hasSize(64);
  }

  @Test
  void different_values_have_different_texts() {
    var withNull = new HashMap<String, Object>();
    withNull.put("a", null);
    var values =
        Arrays.asList(
            null,
            "",
            "null",
            1L,
            1.0,
            "1",
            true,
            "true",
            Map.of(),
            List.of(),
            withNull,
            Map.of("a", ""),
            new BigInteger("9223372036854775808"),
            9.223372036854776E18,
            "\"",
            "\\",
            "\n",
            "\u0000",
            List.of(1L, 2L),
            List.of(List.of(1L), 2L));
    assertThat(values.stream().map(Canonical::text)).doesNotHaveDuplicates();
    assertThat(values.stream().map(Canonical::hash)).doesNotHaveDuplicates();
  }

  @Test
  void canonical_text_is_json_that_reads_back_to_the_same_value() {
    var value =
        Map.of(
            "a",
            List.of(1L, 0.1, "x\"\\\n\t\u0001é😀", true, new BigInteger("1" + "0".repeat(30))));
    var diagnostics = new Diagnostics();
    var read = Document.parse("f", Canonical.text(value), Limits.DEFAULT, diagnostics);
    assertThat(diagnostics.all()).isEmpty();
    assertThat(read.orElseThrow().plain()).isEqualTo(value);
    assertThatThrownBy(() -> Canonical.text(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void cycles_are_found_each_once_and_named_from_the_smallest() {
    assertThat(
            Cycles.in(
                Map.of(
                    "a", List.of("b"),
                    "b", List.of("c", "unknown"),
                    "c", List.of("b"),
                    "x", List.of("x"),
                    "free", List.of("a"))))
        .containsExactly(List.of("b", "c"), List.of("x"));
    assertThat(Cycles.in(Map.of("a", List.of("b", "c"), "b", List.of("c"), "c", List.of())))
        .isEmpty();
    assertThat(Cycles.print(List.of("b", "c"))).isEqualTo("b -> c -> b");
  }

  @Test
  void diagnostics_are_sorted_counted_and_bounded() {
    var diagnostics = new Diagnostics();
    for (int line = 500; line > 0; line--) {
      var at = new Position(line, 1);
      diagnostics.add(Diagnostic.warning("w", "f", Path.ROOT, at, "old", null));
    }
    diagnostics.add(
        Diagnostic.error("e", "f", Path.of("a", "b"), new Position(12, 9), "wrong", "Fix it."));
    diagnostics.add(
        Diagnostic.error("e", "f", Path.of("a", "b"), new Position(12, 9), "wrong", "Fix it."));
    assertThat(diagnostics.errors()).hasToString("[f:12:9: a.b: wrong. Fix it.]");
    assertThat(diagnostics.errorCount()).isEqualTo(1);
    assertThat(diagnostics.warnings()).hasSize(Diagnostics.MAX);
    assertThat(diagnostics.unlisted()).isEqualTo(300);
    assertThat(diagnostics.warnings().getFirst().line()).isEqualTo(301);
  }
}
