package dev.slipway.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Any document is answered with a short list of diagnostics, within seconds. */
class HostileDocumentTest {
  private static final int MIB = 1 << 20;

  /** Far above what any of these takes on a busy machine, far below anything quadratic. */
  private static final Duration SOON = Duration.ofSeconds(60);

  static Stream<Arguments> hostile_texts() {
    return Stream.of(
        text("[".repeat(MIB), "too-deep f:1:65: nested deeper than 64 levels"),
        text("{a: ".repeat(MIB / 4), "too-deep f:1:257: nested deeper than 64 levels"),
        text("- ".repeat(MIB / 2), "too-deep f:1:129: nested deeper than 64 levels"),
        text("? ".repeat(MIB / 2), "too-deep f:1:129: nested deeper than 64 levels"),
        text(staircase(300), "too-deep f:65:65: nested deeper than 64 levels"),
        text(
            "a: &a " + "[".repeat(40) + "]".repeat(40) + "\nb: " + "[".repeat(30) + "*a",
            "too-deep f:2:34: nested deeper than 64 levels"),
        text(laughs(), "too-many-nodes f:4:29: d[7]: more than 10000 values"),
        text("[" + "1,".repeat(10_000) + "]", "too-many-nodes f:1:20000: [9999]: more than 10000"),
        text("&a [*a]", "alias-loop f:1:5: [0]: the alias '*a' contains itself"),
        text("a: &x {b: *x}", "alias-loop f:1:11: a.b: the alias '*x' contains itself"),
        text("a: *zz", "unknown-anchor f:1:4: a: no anchor '&zz' before this alias"),
        text("a: {<<: 5}", "invalid-merge f:1:5: a: the merge key '<<' takes a map"),
        text("a: 1\na: 2", "duplicate-key f:2:1: a: the key 'a' is already set at 1:1"),
        text("a: {b: 1, \"b\": 2}", "duplicate-key f:1:11: a.b: the key 'b' is already set at 1:5"),
        text("80: x", "key-not-string f:1:1: a key must be a string, this is the integer 80."),
        text("true: x", "key-not-string f:1:1: a key must be a string, this is the boolean true."),
        text("[a]: x", "key-not-string f:1:1: a key must be a string, this is a list"),
        text("? {a: b}\n: x", "key-not-string f:1:3: a key must be a string, this is a map"),
        text("a: !foo x", "custom-tag f:1:4: a: the tag '!foo' is not allowed"),
        text("a: !!binary eA==", "custom-tag f:1:4: a: the tag '!!binary' is not allowed"),
        text("a: !!set {x}", "custom-tag f:1:4: a: the tag '!!set' is not allowed"),
        text("a: !!java.net.URL x", "custom-tag f:1:4: a: the tag '!!java.net.URL' is not"),
        text("a: !!int x", "invalid-value f:1:4: a: 'x' does not fit its tag"),
        text("a: b\n---\nc: d", "several-documents f:2:1: only one document is allowed"),
        text("", "empty-document f:1:1: the document is empty"),
        text(" \n# nothing", "empty-document f:1:1: the document is empty"),
        text("#".repeat(MIB), "empty-document f:1:1: the document is empty"),
        text(
            "#".repeat(MIB + 1),
            "too-large f:1:1: the text has 1048577 bytes, more than the 1048576"),
        text("ä".repeat(MIB / 2 + 1), "too-large f:1:1: the text has 1048578 bytes"),
        text("a: \u0001", "control-character f:1:4: the character U+0001 is not allowed"),
        text("ok: 1\nä: x\0", "control-character f:2:5: the character U+0000 is not allowed"),
        text("a: \"\\0\"", "control-character f:1:4: a: the character U+0000 is not allowed"),
        text("a: \"\\ud800\"", "control-character f:1:4: a: the character U+D800 is not allowed"),
        text("a: .inf", "invalid-number f:1:4: a: '.inf' has no value in JSON"),
        text("a: -.INF", "invalid-number f:1:4: a: '-.INF' has no value in JSON"),
        text("a: .nan", "invalid-number f:1:4: a: '.nan' has no value in JSON"),
        text("a: 1e999", "invalid-number f:1:4: a: the number 1e999 is too large"),
        text("a: " + "9".repeat(5_000), "invalid-number f:1:4: a: a number may have at most 1000"),
        text("%YAML 3.0\n---\na: b", "syntax f:1:1: this version of YAML is not supported"),
        text("%FOO bar\n".repeat(MIB / 9), "syntax f:116509:1: not valid YAML"),
        text("a:\n\tb: c", "syntax f:2:1: not valid YAML"),
        text("a: 'open", "syntax f:1:9: not valid YAML"),
        text("a: b: c", "syntax f:1:5: not valid YAML"),
        text("x".repeat(MIB / 2) + ": y", "syntax f:1:524289: not valid YAML"),
        text(":".repeat(MIB), "syntax f:1:1048576: not valid YAML"),
        Arguments.of(
            new byte[] {'a', ':', '\n', (byte) 0xff}, "invalid-utf8 f:2:1: byte 0xff is not UTF-8"),
        Arguments.of(
            "a: b".getBytes(StandardCharsets.UTF_16), "invalid-utf8 f:1:1: byte 0xfe is not UTF-8"),
        Arguments.of(
            new byte[] {(byte) 0xc0, (byte) 0xaf}, "invalid-utf8 f:1:1: byte 0xc0 is not UTF-8"));
  }

  @ParameterizedTest
  @MethodSource("hostile_texts")
  void is_refused_with_its_cause_and_place(byte[] bytes, String expected) {
    var diagnostics = new Diagnostics();
    Assertions.assertTimeout(SOON, () -> Document.parse("f", bytes, Limits.DEFAULT, diagnostics));
    var first = diagnostics.errors().getFirst();
    assertThat(first.code() + " " + first).startsWith(expected);
  }

  @Test
  void everything_at_its_limit_is_accepted() {
    for (String text :
        List.of(
            "[".repeat(64) + "]".repeat(64),
            "[" + "1,".repeat(9_998) + "1]",
            "a: '" + "x".repeat(MIB - 5) + "'",
            "a: " + "9".repeat(1_000))) {
      var diagnostics = new Diagnostics();
      assertThat(Document.parse("f", text, Limits.DEFAULT, diagnostics)).isPresent();
      assertThat(diagnostics.all()).isEmpty();
    }
  }

  @Test
  void all_errors_of_a_text_are_found_at_once() {
    var diagnostics = new Diagnostics();
    var parsed =
        Document.parse(
            "f", "a: !x y\na: .inf\n1: x\nb: *c\n---\nd: e", Limits.DEFAULT, diagnostics);
    assertThat(parsed).isEmpty();
    assertThat(diagnostics.errors())
        .extracting(Diagnostic::code)
        .containsExactly(
            "custom-tag",
            "duplicate-key",
            "invalid-number",
            "key-not-string",
            "unknown-anchor",
            "several-documents");
  }

  private static Arguments text(String text, String expected) {
    return Arguments.of(text.getBytes(StandardCharsets.UTF_8), expected);
  }

  private static String staircase(int steps) {
    var text = new StringBuilder();
    for (int i = 0; i < steps; i++) {
      text.append(" ".repeat(i)).append("a:\n");
    }
    return text.toString();
  }

  private static String laughs() {
    var text = new StringBuilder("a: &a [x,x,x,x,x,x,x,x,x,x]\n");
    for (char c = 'b'; c < 'k'; c++) {
      String alias = "*" + (char) (c - 1) + ",";
      text.append(c).append(": &").append(c).append(" [").append(alias.repeat(10)).append("]\n");
    }
    return text.toString();
  }
}
