package dev.slipway.engine.intake;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentTest {
  private static Document parse(String text) {
    var diagnostics = new Diagnostics();
    var document = Document.parse("f.yaml", text, Limits.DEFAULT, diagnostics);
    assertThat(diagnostics.all()).isEmpty();
    return document.orElseThrow();
  }

  @Test
  void plain_scalars_have_the_types_of_yaml_1_2() {
    var document =
        parse(
            """
            truths: [true, True, FALSE]
            nothing: [null, ~, Null, ]
            text: [yes, no, on, off, y, 1_000, 0b1, 12:30, 2024-01-01, 1e, .e1, "5", '~', NO]
            whole: [0, -7, +7, 017, 0o17, 0x1F, 9223372036854775807, 9223372036854775808]
            broken: [1.5, -0.5, .5, 1., 1e3, 1E-2]
            """);
    var expected = new HashMap<String, Object>();
    expected.put("truths", List.of(true, true, false));
    expected.put("nothing", Arrays.asList(null, null, null));
    expected.put(
        "text",
        List.of(
            "yes",
            "no",
            "on",
            "off",
            "y",
            "1_000",
            "0b1",
            "12:30",
            "2024-01-01",
            "1e",
            ".e1",
            "5",
            "~",
            "NO"));
    expected.put(
        "whole",
        List.of(0L, -7L, 7L, 17L, 15L, 31L, Long.MAX_VALUE, new BigInteger("9223372036854775808")));
    expected.put("broken", List.of(1.5, -0.5, .5, 1.0, 1000.0, 0.01));
    assertThat(document.plain()).isEqualTo(expected);
  }

  @Test
  void json_is_read_as_it_is() {
    var document =
        parse("{\n\t\"a\": [1, 2.5, true, null],\n\t\"b\": \"\\ud83d\\ude00 \\/ \\u00e4\\n\"\n}");
    var expected = new HashMap<String, Object>();
    expected.put("a", Arrays.asList(1L, 2.5, true, null));
    expected.put("b", "😀 / ä\n");
    assertThat(document.plain()).isEqualTo(expected);
    assertThat(document.position(Path.of("b"))).hasToString("3:7");
  }

  @Test
  void every_value_and_key_knows_its_place() {
    var document =
        parse(
            """
            # comment
            resources:
              db:
                type: postgres
                params: {sizes: [1, {deep: x}]}
            ä😀: "umlaut"
            """);
    assertThat(document.position(Path.of("resources", "db", "type"))).hasToString("4:11");
    assertThat(document.keyPosition(Path.of("resources", "db", "type"))).hasToString("4:5");
    assertThat(document.position(Path.of("resources", "db"))).hasToString("4:5");
    assertThat(document.keyPosition(Path.of("resources", "db"))).hasToString("3:3");
    Path deep = Path.of("resources", "db", "params", "sizes", 1, "deep");
    assertThat(document.position(deep)).hasToString("5:32");
    assertThat(document.keyPosition(deep)).hasToString("5:26");
    assertThat(document.keyPosition(deep.parent())).hasToString("5:25");
    assertThat(document.position(Path.of("ä😀"))).hasToString("6:5");
    assertThat(document.position(Path.ROOT)).hasToString("2:1");
  }

  @Test
  void something_missing_is_at_the_key_of_what_encloses_it() {
    var document = parse("a:\n  b:\n    c: 1\n");
    assertThat(document.at(Path.of("a", "b", "x"))).isEmpty();
    assertThat(document.position(Path.of("a", "b", "x"))).hasToString("2:3");
    assertThat(document.keyPosition(Path.of("a", "b", "x", "y", 3))).hasToString("2:3");
    assertThat(document.position(Path.of("z"))).hasToString("1:1");
  }

  @Test
  void aliases_and_merge_keys_are_followed() {
    var document =
        parse(
            """
            base: &base {cpu: 1, memory: 2}
            more: &more {memory: 3, disk: 4}
            one: *base
            two: {<<: *base, cpu: 9}
            three: {<<: [*more, *base]}
            "<<": text
            """);
    assertThat(document.plain())
        .isEqualTo(
            Map.of(
                "base", Map.of("cpu", 1L, "memory", 2L),
                "more", Map.of("memory", 3L, "disk", 4L),
                "one", Map.of("cpu", 1L, "memory", 2L),
                "two", Map.of("cpu", 9L, "memory", 2L),
                "three", Map.of("cpu", 1L, "memory", 3L, "disk", 4L),
                "<<", "text"));
  }

  @Test
  void core_tags_decide_the_type() {
    var document = parse("a: !!str 5\nb: !!int '5'\nc: !!float 5\nd: ! 5\ne: !!bool 'true'\n");
    assertThat(document.plain())
        .isEqualTo(Map.of("a", "5", "b", 5L, "c", 5.0, "d", "5", "e", true));
  }

  @ParameterizedTest
  @CsvSource({
    "resources|db|type, resources.db.type",
    "containers|main|files|/etc/x|content, 'containers.main.files.\"/etc/x\".content'",
    "args|#0|a, 'args[0].a'",
    "a.b|'c', '\"a.b\".\"''c''\"'",
  })
  void paths_print_as_people_write_them(String segments, String printed) {
    Path path = Path.ROOT;
    for (String segment : segments.split("\\|")) {
      path =
          segment.startsWith("#")
              ? path.child(Integer.parseInt(segment.substring(1)))
              : path.child(segment);
    }
    assertThat(path).hasToString(printed);
  }

  @Test
  void characters_inside_a_text_have_places_too() {
    var document =
        parse(
            """
            plain: ab ${x}
            quoted: 'ab ${x}'
            escaped: "a\\tb ${x}"
            block: |
              ab
               ${x}
            """);
    assertThat(place(document, "plain")).hasToString("1:11");
    assertThat(place(document, "quoted")).hasToString("2:13");
    assertThat(place(document, "escaped")).hasToString("3:10");
    assertThat(place(document, "block")).hasToString("6:4");
  }

  private static Position place(Document document, String key) {
    var scalar = (Located.Scalar) document.at(Path.of(key)).orElseThrow();
    String text = (String) scalar.value();
    return scalar.place().at(text, text.indexOf('$'));
  }

  @Test
  void a_byte_order_mark_is_nothing() {
    var diagnostics = new Diagnostics();
    byte[] bytes = "\uFEFFa: b".getBytes(StandardCharsets.UTF_8);
    var document = Document.parse("f", bytes, Limits.DEFAULT, diagnostics).orElseThrow();
    assertThat(document.plain()).isEqualTo(Map.of("a", "b"));
    assertThat(document.position(Path.of("a"))).hasToString("1:4");
  }

  @Test
  void a_file_of_several_documents_is_read_whole_or_not_at_all() {
    var diagnostics = new Diagnostics();
    assertThat(all("---\na: 1\n---\n---\n- &x 2\n- *x\n...\n", diagnostics))
        .extracting(Document::plain)
        .containsExactly(java.util.Map.of("a", 1L), List.of(2L, 2L));
    assertThat(diagnostics.all()).isEmpty();
    assertThat(all("# nothing\n", diagnostics)).isEmpty();
    assertThat(diagnostics.all()).isEmpty();
    assertThat(all("a: 1\n---\nb: *x\n---\nb: {\n", diagnostics)).isEmpty();
    assertThat(diagnostics.toString()).contains("f.yaml:6:1: not valid YAML");
  }

  @Test
  void an_anchor_ends_with_its_document() {
    var diagnostics = new Diagnostics();
    assertThat(all("a: &x 1\n---\nb: *x\n", diagnostics)).isEmpty();
    assertThat(diagnostics.toString()).contains("f.yaml:3:4: b: no anchor '&x' before this alias");
  }

  private static List<Document> all(String text, Diagnostics diagnostics) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Document.parseAll("f.yaml", bytes, Limits.DEFAULT, diagnostics);
  }
}
