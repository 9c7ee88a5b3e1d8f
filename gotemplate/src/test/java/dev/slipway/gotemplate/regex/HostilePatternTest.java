package dev.slipway.gotemplate.regex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
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

  @ParameterizedTest
  @MethodSource
  void a_pattern_that_would_fill_the_heap_or_the_stack_is_refused(String pattern, String reason) {
    assertReason(pattern, reason);
  }

  static List<Arguments> a_pattern_that_would_fill_the_heap_or_the_stack_is_refused() {
    return List.of(
        arguments("(?:x{1000}y){1000}", "invalid repeat count: `{1000}`"),
        arguments("x{1000}".repeat(200), "expression too large"),
        arguments("(?:" + "x".repeat(500) + "){1000}", "expression too large"),
        arguments("(a){1,900}".repeat(100), "expression too large"),
        arguments("(a)".repeat(20_000), "expression too large"),
        arguments("[" + "\\pL\\PL".repeat(20_000) + "]", "expression too large"),
        arguments("(".repeat(2000), "expression nests too deeply"),
        arguments("(".repeat(1500) + ")".repeat(1500), "expression nests too deeply"),
        arguments("(?:a|b".repeat(390) + ")*c".repeat(390), "expression nests too deeply"));
  }

  @Test
  void a_pattern_of_ordinary_depth_is_taken_on_a_small_stack() throws InterruptedException {
    AtomicBoolean found = new AtomicBoolean();
    Runnable search =
        () ->
            found.set(
                Regex.compile("(".repeat(500) + ")".repeat(500)).foundIn("")
                    && Regex.compile("(?:a|b".repeat(249) + ")*c".repeat(249)).foundIn("ac"));
    Thread thread = new Thread(null, search, "small stack", 512 * 1024);
    thread.start();
    thread.join();
    assertThat(found).isTrue();
  }

  @Test
  void a_repetition_counts_only_what_it_repeats() {
    assertThat(Regex.compile("a{900}b{900}|[{](?:c{2}){0}(?:d{500}){2}[]{2}]").foundIn(""))
        .isFalse();
    assertThat(Regex.compile("^\\Q(((\\E\\x{41}{3}$").foundIn("(((AAA")).isTrue();
    assertReason("(?:(?:d{50}){2}){11}", "invalid repeat count: `{11}`");
    assertReason("(?:(?:d{50}){2}){11}?", "invalid repeat count: `{11}?`");
  }

  @Test
  void names_of_unicode_sets_that_do_not_exist_are_cheap_to_refuse() {
    assertThat(
            timed(
                () -> {
                  for (int i = 0; i < 10_000; i++) {
                    assertReason("\\p{nothing" + i + "}", "invalid character class range");
                  }
                }))
        .isLessThan(Duration.ofSeconds(60));
  }

  @Test
  void bytes_that_are_not_utf8_match_as_one_replacement_character_each() {
    assertThat(Regex.compile("^a.\\x{FFFD}$").foundIn("a\uDC80\uDCFF")).isTrue();
    assertReason("\uDC80", "invalid UTF-8");
  }

  @Test
  void a_quoted_text_matches_itself() {
    String text = "a.b*c[d](e)|^$\\{1}+?";
    assertThat(Regex.quoteMeta(text))
        .isEqualTo("a\\.b\\*c\\[d\\]\\(e\\)\\|\\^\\$\\\\\\{1\\}\\+\\?");
    assertThat(Regex.compile("^" + Regex.quoteMeta(text) + "$").foundIn(text)).isTrue();
  }

  private static void assertReason(String pattern, String reason) {
    assertThatThrownBy(() -> Regex.compile(pattern))
        .isInstanceOf(RegexSyntaxException.class)
        .hasMessageStartingWith("error parsing regexp: " + reason);
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
