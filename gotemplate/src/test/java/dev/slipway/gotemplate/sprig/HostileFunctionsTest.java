package dev.slipway.gotemplate.sprig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.gotemplate.Settings;
import dev.slipway.gotemplate.Template;
import dev.slipway.gotemplate.TemplateException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostileFunctionsTest {
  private static final Settings SETTINGS = Settings.DEFAULT.withFunctions(WorkflowFunctions.all());

  private static final Object DATA = Map.of("a", "a".repeat(100_000));

  private static final String DOUBLED =
      "{{ $x := list 1 }}{{ range until 60 }}{{ $x = list $x $x }}{{ end }}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{ repeat 1000000000 \"x\" }}",
        "{{ repeat 9223372036854775807 \"xx\" }}",
        "{{ until 2000000000 | len }}",
        "{{ untilStep 0 9223372036854775807 1 | len }}",
        "{{ seq 1 2000000000 }}",
        "{{ $x := until 10001 }}",
        "{{ $x := untilStep 0 20002 2 }}",
        "{{ $x := splitList \"\" (repeat 10001 \"a\") }}",
        "{{ $x := split \",\" (repeat 10001 \",\") }}",
        "{{ $x := regexSplit \"a\" .a -1 }}",
        "{{ $x := chunk 1 (concat (until 9000) (until 9000)) }}",
        "{{ $x := toStrings (fromJson (printf \"[0%s]\" (repeat 10000 \",0\"))) }}",
        "{{ $d := dict }}{{ range $i := until 9999 }}{{ $_ := set $d (print $i) 1 }}{{ end }}"
            + "{{ range $i := until 9999 }}{{ $_ := set $d (print \"b\" $i) 1 }}{{ end }}",
        "{{ $x := printf \"%2000000s\" \"a\" }}",
        "{{ $x := printf \"%1000000d%1000000d\" 1 2 }}",
        "{{ $x := cat .a .a .a .a .a .a .a .a .a .a .a }}",
        "{{ $x := repeat 400000 \"漢\" }}",
        "{{ indent 2000000000 \"x\" }}",
        "{{ repeat 100000 \"\\n\" | indent 1000 }}",
        "{{ repeat 500000 \"ab\" | replace \"\" \"0123456789\" }}",
        "{{ repeat 100000 \"a \" | wrapWith 1 (repeat 100 \"x\") }}",
        "{{ $s := \"x\" }}{{ range until 40 }}{{ $s = cat $s $s }}{{ end }}{{ len $s }}",
        "{{ $s := list 1 }}{{ range until 40 }}{{ $s = concat $s $s }}{{ end }}{{ len $s }}",
        "{{ $s := \"x\" }}{{ range until 40 }}{{ $s = join $s (list 1 2 3) }}{{ end }}",
        "{{ $s := \"x\" }}{{ range until 40 }}{{ $s = quote $s }}{{ end }}{{ len $s }}",
        DOUBLED + "{{ toJson $x }}",
        DOUBLED + "{{ toPrettyJson $x }}",
        DOUBLED + "{{ toYaml $x }}",
        DOUBLED + "{{ deepCopy $x | len }}",
        DOUBLED + "{{ deepEqual $x (deepCopy $x) }}",
        DOUBLED + "{{ toString $x }}",
        "{{ $d := dict }}{{ $_ := set $d \"d\" $d }}{{ toJson $d }}",
        "{{ $d := dict }}{{ $_ := set $d \"d\" $d }}{{ toYaml $d }}",
        "{{ $d := dict }}{{ $_ := set $d \"d\" $d }}{{ deepCopy $d }}",
        "{{ $d := dict }}{{ $_ := set $d \"d\" $d }}{{ $d }}",
        "{{ $d := dict }}{{ $_ := set $d \"d\" $d }}{{ $e := dict }}{{ $_ := set $e \"d\" $e }}"
            + "{{ deepEqual $d $e }}",
        "{{ uniq (until 100000) | len }}",
        "{{ regexFindAll \"(?:a*b|a)\" .a -1 | len }}",
        "{{ regexReplaceAll \"a\" .a .a | len }}",
        "{{ regexSplit \"(a*)*c|a\" .a -1 | len }}",
        "{{ range until 100000 }}{{ regexMatch (repeat 100 \"(a+)+\") $.a }}{{ end }}",
        "{{ fromJson (repeat 500000 \"[\") }}{{ mustFromJson (repeat 500000 \"[\") }}",
        "{{ regexMatch (repeat 300000 \"(\") \"x\" | ternary 1 (fail \"too much\") }}",
        "{{ date (repeat 100000 \"January\") 0 }}",
        "{{ range until 1000000 }}{{ range until 1000000 }}{{ end }}{{ end }}",
      })
  void what_would_fill_memory_or_never_end_is_stopped(String template) {
    long start = System.nanoTime();
    assertThatThrownBy(() -> Template.parse("t", template, SETTINGS).execute(DATA))
        .isInstanceOf(TemplateException.class);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(60));
  }

  @Test
  void ordinary_use_stays_far_below_the_limits() {
    String template =
        "{{ range until 1000 }}{{ regexReplaceAll \"[^a-z0-9]+\" \"Hello, World\" \"-\" | lower |"
            + " trunc 63 }}{{ end }}";
    Settings tight = SETTINGS.withLimits(SETTINGS.limits().withSteps(50_000));
    assertThat(Template.parse("t", template, tight).execute(null)).hasSize(10_000);
  }
}
