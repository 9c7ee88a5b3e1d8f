package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptProgramsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      value = {
        "psql -Atc 'select 1' @ bash psql",
        "/opt/tool/bin/tool --now @ /opt/tool/bin/tool bash",
        "echo hello @ bash",
        "./local.sh @ bash",
        "'{{ .parameters.tool }} --now' @ bash",
        "jq . x.json | sort @ bash",
        "A=1 make all @ bash",
        "#!/bin/sh @ /bin/sh",
        "#!/usr/bin/env python3 @ /usr/bin/env python3",
        "#!/usr/bin/env -S perl -w @ /usr/bin/env perl",
      })
  void a_script_needs_its_interpreter_and_a_single_command_its_program(
      String script, String programs) {
    assertThat(ScriptPrograms.of(Map.of("script", script)))
        .containsExactlyElementsOf(List.of(programs.split(" ")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"python3", "python3 -u"})
  void an_interpreter_that_is_asked_for_goes_before_the_shebang(String interpreter) {
    assertThat(ScriptPrograms.of(Map.of("command", "#!/bin/sh\nx", "interpreter", interpreter)))
        .containsExactly("python3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{{ .parameters.language }}", "${parameters.language}"})
  void an_interpreter_that_depends_on_a_parameter_is_known_only_later(String interpreter) {
    assertThat(ScriptPrograms.of(Map.of("script", "x", "interpreter", interpreter))).isEmpty();
  }
}
