package dev.slipway.gotemplate.sprig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.Functions;
import dev.slipway.gotemplate.Settings;
import dev.slipway.gotemplate.Template;
import dev.slipway.gotemplate.TemplateException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SprigTest {
  private static String render(Functions functions, String template, Object data) {
    return Template.parse("t", template, Settings.DEFAULT.withFunctions(functions)).execute(data);
  }

  private static String render(String template, Object data) {
    return render(WorkflowFunctions.all(), template, data);
  }

  @Test
  void changing_a_dict_is_seen_in_the_template_but_not_by_the_caller() {
    Map<String, Object> inner = new HashMap<>(Map.of("a", 1L));
    Map<String, Object> data = new HashMap<>(Map.of("m", inner, "l", List.of(inner)));
    String template =
        "{{ $_ := set .m \"b\" 2 }}{{ $_ := unset (index .l 0) \"a\" }}"
            + "{{ $_ := mergeOverwrite .m (dict \"a\" 7) }}{{ $_ := set . \"x\" 1 }}{{ . }}";
    assertThat(render(template, data)).isEqualTo("map[l:[map[]] m:map[a:7 b:2] x:1]");
    assertThat(inner).isEqualTo(Map.of("a", 1L));
    assertThat(data).containsOnlyKeys("m", "l");
  }

  record Holder(Map<String, Object> values) {}

  @Test
  void a_dict_inside_a_record_of_the_caller_cannot_be_changed() {
    Holder holder = new Holder(new HashMap<>(Map.of("a", 1L)));
    assertThatThrownBy(() -> render("{{ set .values \"a\" 2 }}", holder))
        .hasMessageContaining("not the template's own");
    assertThat(render("{{ set (deepCopy .values) \"a\" 2 }}", holder)).isEqualTo("map[a:2]");
    assertThat(holder.values()).isEqualTo(Map.of("a", 1L));
  }

  @Test
  void a_method_that_is_given_nil_in_place_of_a_version_says_so() {
    assertThatThrownBy(() -> render("{{ (semver \"1.2.3\").Equal nil }}", null))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining("error calling Equal: argument 1 is a nil pointer");
  }

  @Test
  void the_present_is_that_of_the_clock_in_the_settings() {
    Clock clock = Clock.fixed(Instant.parse("2024-02-29T12:00:00Z"), ZoneOffset.UTC);
    Settings settings =
        Settings.DEFAULT
            .withFunctions(Sprig.pure().plus(Sprig.withSettingsClock()))
            .withClock(clock);
    String template = "{{ now | date \"2006-01-02\" }} {{ ago 1709204400 }}";
    assertThat(Template.parse("t", template, settings).execute(null))
        .isEqualTo("2024-02-29 1h0m0s");
  }

  @ParameterizedTest
  @ValueSource(strings = {"env", "expandenv", "getHostByName", "uuidv4", "genCA", "bcrypt", "now"})
  void what_is_left_out_is_refused_by_name_with_the_reason(String name) {
    assertThatThrownBy(() -> render(Sprig.pure(), "{{ " + name + " \"x\" }}", null))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining("\"" + name + "\" is not available: it ");
  }

  @Test
  void every_function_says_what_it_does_and_no_name_of_sprig_is_forgotten() throws IOException {
    Functions everything = WorkflowFunctions.all();
    for (Function function : everything.all()) {
      assertThat(function.doc()).as(function.name()).isNotBlank().doesNotContain("\n", "|");
      assertThat(function.group()).as(function.name()).isNotBlank();
      assertThat(function.signature().text()).startsWith("(");
    }
    for (String name : lines("names.txt")) {
      assertThat(everything.find(name).isPresent() || everything.exclusion(name).isPresent())
          .as(name)
          .isTrue();
    }
  }

  @Test
  void yaml_is_that_of_kubernetes_tools() throws IOException {
    List<String> differences = new ArrayList<>();
    for (String line : lines("yaml.tsv")) {
      String[] fields = line.split("\t");
      String expected = (String) json(fields[1]);
      String actual = render("{{ toYaml . }}", json(fields[0])) + "\n";
      if (!actual.equals(expected)) {
        differences.add(fields[0] + "\n" + expected + actual);
      }
    }
    assertThat(differences).isEmpty();
  }

  @Test
  void numbers_stay_exact_in_json_and_yaml() {
    Map<String, Object> data =
        Map.of("big", new java.math.BigInteger("123456789012345678901234567890"), "f", 1e21);
    assertThat(render("{{ toJson . }} {{ toYaml .big }}", data))
        .isEqualTo(
            "{\"big\":123456789012345678901234567890,\"f\":1e+21} 123456789012345678901234567890");
    assertThatThrownBy(() -> render("{{ add .big 1 }}", data))
        .hasMessageContaining("does not fit into 64 bits");
  }

  private static Object json(String text) {
    return JsonFunctions.parsed(Call.of(Settings.DEFAULT, text), null);
  }

  private static List<String> lines(String resource) throws IOException {
    try (InputStream in = SprigTest.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
