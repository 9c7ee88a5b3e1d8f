package dev.slipway.gotemplate.sprig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.Settings;
import dev.slipway.gotemplate.Template;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TenantFunctionsTest {
  private static final String NAMES =
      """
      abbrev abbrevboth camelcase cat contains hasPrefix hasSuffix indent initials join kebabcase lower
      nindent nospace plural quote repeat replace snakecase sortAlpha split splitList splitn squote substr
      swapcase title toString toStrings trim trimAll trimall trimPrefix trimSuffix trunc untitle upper wrap
      wrapWith add add1 add1f addf atoi biggest ceil div divf float64 floor int64 max maxf min minf mod mul
      mulf round seq sub subf toDecimal until untilStep all any coalesce compact mustCompact default empty
      fail hello ternary mustFromJson toJson toPrettyJson toRawJson mustToJson mustToPrettyJson
      mustToRawJson append mustAppend push mustPush prepend mustPrepend chunk mustChunk first mustFirst has
      mustHas initial mustInitial last mustLast rest mustRest reverse mustReverse slice mustSlice uniq
      mustUniq without mustWithout concat list tuple deepCopy mustDeepCopy dict dig get hasKey keys merge
      mustMerge mergeOverwrite mustMergeOverwrite omit pick pluck set unset values deepEqual kindIs kindOf
      typeIs typeIsLike typeOf adler32sum b32dec b32enc b64dec b64enc sha256sum sha512sum base clean dir
      ext isAbs osBase osClean osDir osExt osIsAbs urlJoin urlParse regexFind regexFindAll regexMatch
      regexReplaceAll regexReplaceAllLiteral regexSplit mustRegexFind mustRegexFindAll mustRegexMatch
      mustRegexReplaceAll mustRegexReplaceAllLiteral mustRegexSplit regexQuoteMeta semver semverCompare
      date dateInZone date_in_zone dateModify date_modify mustDateModify must_date_modify duration
      durationRound htmlDate htmlDateInZone toDate mustToDate unixEpoch toHost trunc63 sha1sum fromJson int
      float bool
      """;

  private static String render(String template, Object data) {
    Settings settings = Settings.DEFAULT.withFunctions(TenantFunctions.all());
    return Template.parse("t", template, settings).execute(data);
  }

  @Test
  void the_set_is_just_what_tenants_are_promised() {
    List<String> names = TenantFunctions.all().all().stream().map(Function::name).toList();
    assertThat(names)
        .containsExactlyInAnyOrderElementsOf(new TreeSet<>(List.of(NAMES.strip().split("\\s+"))));
    assertThat(TenantFunctions.all().excluded())
        .containsKeys("env", "now", "ago", "uuidv4", "derivePassword", "genSignedCertWithKey")
        .hasSize(26);
  }

  @ParameterizedTest
  @CsvSource({
    "https://a.example.com:8443/x, a.example.com",
    "http://[::1]:80/, ::1",
    "a.example.com:80, a.example.com",
    "a.example.com, a.example.com",
    "a.example.com/path, a.example.com/path",
    "postgres://u:p@db:5432/x, db",
    "'', ''",
    "http://[bad:1, http",
  })
  void toHost_gives_the_host_without_port(String url, String host) {
    assertThat(render("{{ toHost . }}", url)).isEqualTo(host);
  }

  @ParameterizedTest
  @CsvSource({
    "3, 3",
    "-7, -7",
    "+4, 4",
    "3.9, 3",
    "-3.9, -3",
    "1e3, 1000",
    "x, 0",
    "'', 0",
    "010, 10",
    "0x10, 0",
  })
  void int_reads_whole_and_broken_numbers(String text, String expected) {
    assertThat(render("{{ int . }}", text)).isEqualTo(expected);
  }

  @Test
  void int_and_float_refuse_what_does_not_fit() {
    assertThat(render("{{ int true }} {{ int false }} {{ int 2.7 }} {{ int nil }}", null))
        .isEqualTo("1 0 2 0");
    for (String text : List.of("9223372036854775808", "1e30", "inf", "nan")) {
      assertThatThrownBy(() -> render("{{ int . }}", text)).hasMessageContaining("int: ");
    }
    assertThatThrownBy(() -> render("{{ float . }}", "nan"))
        .hasMessageContaining("no finite number");
    assertThatThrownBy(() -> render("{{ float . }}", "-Inf"))
        .hasMessageContaining("no finite number");
    assertThat(render("{{ int . }}", "9223372036854775807")).isEqualTo("9223372036854775807");
  }

  @ParameterizedTest
  @CsvSource({"42, 42", "3.14, 3.14", "1000000, 1e+06", "x, 0", "'', 0"})
  void float_prints_as_go_does(String text, String expected) {
    assertThat(render("{{ float . }}", text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "true, true",
    "TRUE, true",
    "1, true",
    "Yes, true",
    "on, true",
    "T, true",
    "y, true",
    "2, false",
    "off, false",
    "'', false",
    "' true', false",
  })
  void bool_knows_the_words_for_yes(String text, String expected) {
    assertThat(render("{{ bool . }}", text)).isEqualTo(expected);
  }

  @Test
  void typed_values_are_operands_and_json_mistakes_are_an_empty_dict() {
    Map<String, Object> row = Map.of("n", "3", "j", "{\"a\": [1, 2.5]}");
    assertThat(
            render("{{ add (int .n) 1 }} {{ add .n 1 | int }} {{ if bool .n }}yes{{ end }}", row))
        .isEqualTo("4 4 ");
    assertThat(render("{{ (fromJson .j).a }} {{ fromJson .n }} {{ fromJson \"{\" }}", row))
        .isEqualTo("[1 2.5] 3 map[]");
  }

  @Test
  void trunc63_never_splits_a_character() {
    assertThat(render("{{ trunc63 . }}", "x".repeat(70))).isEqualTo("x".repeat(63));
    assertThat(render("{{ trunc63 . }}", "x".repeat(62) + "é")).isEqualTo("x".repeat(62));
    assertThat(render("{{ trunc63 . }}", "é".repeat(40))).isEqualTo("é".repeat(31));
    assertThat(render("{{ trunc63 . }}", "x".repeat(62) + "-y")).isEqualTo("x".repeat(62) + "-");
  }
}
