package dev.slipway.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SectionTest {
  private enum Backoff {
    FIXED,
    VERY_FAST
  }

  private final Diagnostics diagnostics = new Diagnostics();

  private Section read(String text) {
    return Document.parse("p.yaml", text, Limits.DEFAULT, diagnostics)
        .orElseThrow()
        .section(diagnostics);
  }

  @Test
  void fields_come_out_with_their_types() {
    Section root =
        read(
            """
            name: abc
            count: 5
            on: true
            lease: 1h30m
            seconds: 90
            ratio: 0.5
            version: 1.10
            backoff: very-fast
            list: [a, b]
            one: a
            labels: {x: y}
            inner: {a: 1}
            steps: [{name: s1}, {name: s2}]
            by: {p: {name: q}}
            nothing:
            """);
    assertThat(root.requiredString("name")).isEqualTo("abc");
    assertThat(root.integer("count", 1, 10, 3)).isEqualTo(5);
    assertThat(root.bool("on", false)).isTrue();
    assertThat(root.duration("lease")).contains(Duration.ofMinutes(90));
    assertThat(root.duration("seconds")).contains(Duration.ofSeconds(90));
    assertThat(root.number("ratio")).contains(0.5);
    assertThat(root.text("version")).contains("1.10");
    assertThat(root.choice("backoff", Backoff.class)).contains(Backoff.VERY_FAST);
    assertThat(root.strings("list")).containsExactly("a", "b");
    assertThat(root.stringOrStrings("one")).containsExactly("a");
    assertThat(root.stringOrStrings("list")).containsExactly("a", "b");
    assertThat(root.stringMap("labels")).isEqualTo(Map.of("x", "y"));
    assertThat(root.openMap("inner")).isEqualTo(Map.of("a", 1L));
    assertThat(root.sections("steps")).extracting(s -> s.requiredString("name")).hasSize(2);
    assertThat(root.sectionMap("by").get("p").path()).hasToString("by.p");
    assertThat(root.string("nothing")).isEmpty();
    assertThat(root.string("absent", "default")).isEqualTo("default");
    root.noOtherKeys();
    assertThat(diagnostics.all()).isEmpty();
  }

  @Test
  void everything_wrong_is_reported_and_reading_goes_on() {
    Section root =
        read(
            """
            name: [x]
            count: 50
            on: "true"
            lease: soon
            backoff: fixt
            label: No
            list: [a, 1]
            labels: {x: 1}
            steps: [text]
            inner: text
            stepz: []
            """);
    root.requiredString("name");
    root.requiredString("kind");
    root.integer("count", 1, 10, 3);
    root.bool("on");
    root.duration("lease");
    root.choice("backoff", Backoff.class, Backoff.FIXED);
    root.matching("label", Pattern.compile("[a-z]+"), "lower-case letters");
    root.strings("list");
    root.stringMap("labels");
    root.sections("steps").getFirst().requiredString("name");
    root.section("inner");
    root.requiredSection("config").requiredString("path");
    root.noOtherKeys();
    assertThat(diagnostics)
        .hasToString(
            """
            p.yaml:1:1: 'kind' is required
            p.yaml:1:1: 'config' is required
            p.yaml:1:1: config: 'path' is required
            p.yaml:1:7: name: expected a string, found a list
            p.yaml:2:8: count: expected a whole number from 1 to 10, found the integer 50
            p.yaml:3:5: on: expected true or false, found the string 'true'
            p.yaml:4:8: lease: expected a duration, found the string 'soon'. Write seconds (300) or units like 90s, 1h30m, 7d, 2w.
            p.yaml:5:10: backoff: 'fixt' is not one of fixed or very-fast. Did you mean 'fixed'?
            p.yaml:6:8: label: 'No' is not lower-case letters
            p.yaml:7:11: list[1]: expected a string, found the integer 1
            p.yaml:8:13: labels.x: expected a string, found the integer 1
            p.yaml:9:9: steps[0]: expected a map, found the string 'text'
            p.yaml:9:9: steps[0]: 'name' is required
            p.yaml:10:8: inner: expected a map, found the string 'text'
            p.yaml:11:1: stepz: unknown field 'stepz'. Did you mean 'steps'?\
            """);
  }

  @Test
  void camel_and_snake_case_are_one_key_where_asked_for() {
    Section root = read("output_file: a\ninner: {on_error: x, onError: y}\nparallelGroup: g\n");
    Section loose = root.spelled(Spelling.CAMEL_OR_SNAKE);
    assertThat(loose.string("outputFile")).contains("a");
    assertThat(loose.string("parallel_group")).contains("g");
    assertThat(loose.section("inner").orElseThrow().string("on_error")).contains("x");
    loose.noOtherKeys();
    assertThat(diagnostics)
        .hasToString(
            "p.yaml:2:22: inner.onError: this is the same key as 'on_error'. Remove one of them.");
  }

  @Test
  void unknown_keys_can_be_a_mere_warning() {
    Section root = read("engine: {workers: 1, wrokers: 2}\nadmin: {}\n");
    Section engine = root.section("engine").orElseThrow();
    engine.integer("workers", 1, 9, 1);
    engine.warnOfOtherKeys();
    root.ignoring("admin").noOtherKeys();
    assertThat(diagnostics.hasErrors()).isFalse();
    assertThat(diagnostics)
        .hasToString(
            "p.yaml:1:22: warning: engine.wrokers: unknown field 'wrokers'. Did you mean 'workers'?");
  }

  @Test
  void a_root_that_is_no_map_is_said_once() {
    Section root = read("- a");
    assertThat(root.strings("x")).isEqualTo(List.of());
    root.noOtherKeys();
    assertThat(diagnostics).hasToString("p.yaml:1:1: expected a map, found a list");
  }
}
