package dev.slipway.gotemplate.regex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.gotemplate.regex.RegexSyntaxException.Reason;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostilePatternTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"(a+)+$", "(a|aa)+$", "(a*)*b", "(.*a){20}c", "^(([a-z])+.)+[A-Z]([a-z])+$"})
  void what_explodes_in_a_backtracking_engine_takes_linear_time(String pattern) {
    String text = "a".repeat(50_000) + "!";
    assertThat(timed(() -> Regex.compile(pattern).foundIn(text)))
        .isLessThan(Duration.ofSeconds(60));
  }

  @Test
  void work_that_grows_with_the_square_of_the_text_is_metered() {
    Regex regex = Regex.compile("(?:a*b|a)").metered(new Budget(5_000_000)::spend);
    String text = "a".repeat(100_000);
    assertThatThrownBy(() -> regex.findAll(text, -1)).hasMessage("no more work");
  }

  @Test
  void a_pattern_that_would_need_too_many_instructions_is_refused() {
    assertReason("(?:x{1000}y){1000}", Reason.INVALID_REPEAT_COUNT);
    assertReason("x{1000}".repeat(200), Reason.TOO_LARGE);
    assertReason("(?:" + "x".repeat(500) + "){1000}", Reason.TOO_LARGE);
    assertReason("(a)".repeat(20_000), Reason.TOO_LARGE);
  }

  @Test
  void a_pattern_that_nests_too_deeply_is_refused() {
    assertReason("(".repeat(2000) + ")".repeat(2000), Reason.TOO_DEEP);
    assertThat(Regex.compile("(".repeat(500) + ")".repeat(500)).foundIn("")).isTrue();
    assertReason("(?:".repeat(50_000), Reason.MISSING_PARENTHESIS);
  }

  @Test
  void names_of_unicode_sets_that_do_not_exist_are_cheap_to_refuse() {
    assertThat(
            timed(
                () -> {
                  for (int i = 0; i < 10_000; i++) {
                    assertReason("\\p{nothing" + i + "}", Reason.INVALID_CHARACTER_RANGE);
                  }
                }))
        .isLessThan(Duration.ofSeconds(60));
  }

  @Test
  void bytes_that_are_not_utf8_match_as_one_replacement_character_each() {
    assertThat(Regex.compile("^a.\\x{FFFD}$").foundIn("a\uDC80\uDCFF")).isTrue();
    assertReason("\uDC80", Reason.INVALID_UTF8);
  }

  @Test
  void a_quoted_text_matches_itself() {
    String text = "a.b*c[d](e)|^$\\{1}+?";
    assertThat(Regex.quoteMeta(text))
        .isEqualTo("a\\.b\\*c\\[d\\]\\(e\\)\\|\\^\\$\\\\\\{1\\}\\+\\?");
    assertThat(Regex.compile("^" + Regex.quoteMeta(text) + "$").foundIn(text)).isTrue();
  }

  private static void assertReason(String pattern, Reason reason) {
    assertThatThrownBy(() -> Regex.compile(pattern))
        .isInstanceOfSatisfying(
            RegexSyntaxException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  private static Duration timed(Runnable action) {
    long start = System.nanoTime();
    action.run();
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static final class Budget {
    private long left;

    Budget(long left) {
      this.left = left;
    }

    void spend(long steps) {
      left -= steps;
      if (left < 0) {
        throw new IllegalStateException("no more work");
      }
    }
  }
}
