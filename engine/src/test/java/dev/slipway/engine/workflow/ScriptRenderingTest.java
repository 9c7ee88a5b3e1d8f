package dev.slipway.engine.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptRenderingTest {
  private static final String HEAD =
      """
      parameters:
        - {name: x, type: string}
        - {name: n, type: integer}
      steps:
        - name: run
          type: shell
          script: |
      """;

  private static RenderedScript render(String script, Object x) {
    Workflow workflow = Workflows.body(HEAD + script.indent(8)).good();
    Step step = workflow.steps().getFirst();
    Scope scope = Scope.of(Map.of("x", x, "n", -3L), Instant.EPOCH);
    return (RenderedScript) new Rendering(Workflows.TYPES).config(step, scope).get("script");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '`',
      value = {
        "echo {{ .parameters.x }} ¦ echo \"${SLIPWAY_V1}\"",
        "echo ${parameters.x} ¦ echo \"${SLIPWAY_V1}\"",
        "echo a{{ .parameters.x }}b ¦ echo a\"${SLIPWAY_V1}\"b",
        "echo \"a {{ .parameters.x }} b\" ¦ echo \"a ${SLIPWAY_V1} b\"",
        "echo 'a {{ .parameters.x }} b' ¦ echo 'a '\"${SLIPWAY_V1}\"' b'",
        "echo $'a\\n'{{ .parameters.x }} ¦ echo $'a\\n'\"${SLIPWAY_V1}\"",
        "x={{ .parameters.x }} ¦ x=\"${SLIPWAY_V1}\"",
        "echo \"$(cat {{ .parameters.x }})\" ¦ echo \"$(cat \"${SLIPWAY_V1}\")\"",
        "echo `it's` {{ .parameters.x }} ¦ echo `it's` \"${SLIPWAY_V1}\"",
        "echo \"${HOME:-{{ .parameters.x }}}\" ¦ echo \"${HOME:-${SLIPWAY_V1}}\"",
        "echo ${HOME:-{{ .parameters.x }}} ¦ echo ${HOME:-\"${SLIPWAY_V1}\"}",
        "true # {{ .parameters.x }} ¦ true # ${SLIPWAY_V1}",
        "echo $((5 - {{ .parameters.n }})) ¦ echo $((5 - (${SLIPWAY_V1})))",
        "eval \"x={{ .parameters.n }}\" ¦ eval \"x=${SLIPWAY_V1}\"",
        "cat <{{ .parameters.x }} >'{{ .parameters.x }}' ¦ cat <\"${SLIPWAY_V1}\""
            + " >''\"${SLIPWAY_V1}\"''",
        "echo $$'a\\' 'b {{ .parameters.x }}' ¦ echo $$'a\\' 'b '\"${SLIPWAY_V1}\"''",
        "echo ${HOME} ${x:-y} $$ $1 ¦ echo ${HOME} ${x:-y} $$ $1"
      })
  void a_value_becomes_a_variable_and_a_reference_that_fits_its_place(
      String script, String expected) {
    assertThat(render(script, "it's").text()).isEqualTo(expected + "\n");
  }

  @Test
  void the_variable_holds_the_value_and_nothing_else_does() {
    RenderedScript script = render("echo {{ .parameters.x }} '{{ .parameters.n }}'", "a'b");
    assertThat(script.env()).isEqualTo(Map.of("SLIPWAY_V1", "a'b", "SLIPWAY_V2", "-3"));
    assertThat(script.text()).doesNotContain("a'b");
  }

  @Test
  void a_script_without_templates_is_not_touched_whatever_it_contains() {
    String script = "eval \"$x\"; cat <<EOF\n$(( a[1] ))\nEOF\n((((\n";
    assertThat(render(script, "x").text()).isEqualTo(script);
  }

  @Test
  void
      here_documents_take_references_and_a_quoted_one_is_rewritten_so_that_all_else_stays_as_it_is() {
    assertThat(render("cat <<EOF\n  {{ .parameters.x }}\nEOF", "v").text())
        .isEqualTo("cat <<EOF\n  ${SLIPWAY_V1}\nEOF\n");
    String script = "cat <<'EOF' <<-'B'\n $a\\ {{ .parameters.x }} `b`\nEOF\n\tx $y\n\tB";
    assertThat(render(script, "$(id)").text())
        .isEqualTo(
            "cat <<SLIPWAY_END <<-'B'\n"
                + " \\$a\\\\ ${SLIPWAY_V1} \\`b\\`\n"
                + "SLIPWAY_END\n"
                + "\tx $y\n"
                + "\tB\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"EOF", "a\nEOF\nid", "xEOFx", "SLIPWAY_END"})
  void a_value_may_contain_the_delimiter_of_its_here_document(String value) {
    RenderedScript script = render("cat <<'EOF'\n{{ .parameters.x }}\nEOF", value);
    assertThat(script.text()).isEqualTo("cat <<SLIPWAY_END\n${SLIPWAY_V1}\nSLIPWAY_END\n");
    assertThat(script.env()).containsEntry("SLIPWAY_V1", value);
  }

  @Test
  void nul_and_oversized_values_are_refused() {
    assertThatThrownBy(() -> render("echo {{ .parameters.x }}", "a\0b"))
        .hasMessage("script: a value contains a NUL character, which no program can be given");
    assertThatThrownBy(() -> render("echo {{ .parameters.x }}", "a".repeat(140_000)))
        .hasMessageStartingWith("script: a value of 140000 bytes is too long");
  }

  @Test
  void lines_may_end_as_on_windows() {
    List<Piece> pieces =
        List.of(
            new Piece.Authored("echo a\\\r\n#b '"),
            new Piece.Emitted("v", Piece.Origin.ACTION),
            new Piece.Authored("'\r"),
            new Piece.Authored("\n"));
    assertThat(ScriptRendering.render(pieces, "bash").text())
        .isEqualTo("echo a\\\n#b ''\"${SLIPWAY_V1}\"''\n");
  }

  @Test
  void branches_and_loops_are_followed_when_the_script_is_rendered() {
    String script =
        "{{ if .parameters.x }}echo \"{{ else }}echo '{{ end }}{{ .parameters.x }}{{ if"
            + " .parameters.x }}\"{{ else }}'{{ end }}\n"
            + "{{ range $i, $v := .parameters.x }}{{ end }}true";
    assertThatThrownBy(() -> render(script, "v")).isInstanceOf(RenderingException.class);
    String loop = "{{ range .parameters.x }}echo {{ . }}\n{{ end }}";
    assertThat(render(loop, List.of("a", "b")).text())
        .isEqualTo("echo \"${SLIPWAY_V1}\"\necho \"${SLIPWAY_V2}\"\n\n");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '~',
      value = {
        "echo $(( {{ .parameters.x }} + 1 )) ¦ a value in arithmetic would be run as code",
        "(( y = {{ .parameters.x }} )) ¦ a value in arithmetic would be run as code",
        "echo ${a[{{ .parameters.x }}]} ¦ a value stands in ${ }, where the shell evaluates it",
        "echo ${a:{{ .parameters.x }}} ¦ a value stands in ${ }, where the shell evaluates it",
        "echo ${a#{{ .parameters.x }}} ¦ a value stands in ${ }, where the shell evaluates it",
        "echo ${a:={{ .parameters.x }}} ¦ a value stands in ${ }, where the shell evaluates it",
        "a[{{ .parameters.x }}]=1 ¦ a value stands in a subscript, which the shell evaluates",
        "a=([{{ .parameters.x }}]=1) ¦ a value stands in a subscript, which the shell evaluates",
        "echo ${a[\"{{ .parameters.x }}\"]} ¦ a value stands in ${ }, where the shell evaluates it",
        "echo ${a:'{{ .parameters.x }}'} ¦ a value stands in ${ }, where the shell evaluates it",
        "a[\"{{ .parameters.x }}\"]=1 ¦ a value stands in a subscript, which the shell evaluates",
        "a[${b:-{{ .parameters.x }}}]=1 ¦ a value stands in a subscript, which the shell evaluates",
        "echo $((${b:-{{ .parameters.x }}})) ¦ a value in arithmetic would be run as code",
        "echo $((1 + $(echo {{ .parameters.x }}))) ¦ a value in arithmetic would be run as code",
        "[[ a =~ b|#c ]]; echo {{ .parameters.x }} ¦ stands a pattern with signs of the shell",
        "echo `cat {{ .parameters.x }}` ¦ a value stands in backquotes",
        "echo \"`cat '{{ .parameters.x }}'`\" ¦ a value stands in backquotes",
        "echo $'a{{ .parameters.x }}' ¦ a value stands in $'...'",
        "echo \\{{ .parameters.x }} ¦ a backslash stands right before a value",
        "echo \"\\{{ .parameters.x }}\" ¦ a backslash stands right before a value",
        "echo \"$ {{ .parameters.x }} ${{ .parameters.x }}\" ¦ a dollar sign stands right before a"
            + " value",
        "cat <<{{ .parameters.x }} ¦ stands a here-document whose delimiter is not a plain word",
        "cat <<E'O'F {{ .parameters.x }} ¦ stands a here-document whose delimiter is not a plain"
            + " word",
        "echo $[1] {{ .parameters.x }} ¦ stands '$['",
        "echo \"${a:-'b'}\" {{ .parameters.x }} ¦ stands a '${' in quotes with quotes inside",
        "echo ${ {{ .parameters.x }}; } ¦ stands a '${' without a name",
        "echo $((echo a) | cat) {{ .parameters.x }} ¦ stands '((' with quotes, or without '))'",
        "echo $(case a in a) echo {{ .parameters.x }};; esac) ¦ stands 'case' inside '$('",
        "[[ a =~ (b #) ]] && echo {{ .parameters.x }} ¦ stands a pattern with signs of the shell",
        "echo @(a|b) {{ .parameters.x }} ¦ stands a pattern with signs of the shell",
        "echo \"$(echo {{ .parameters.x }} ¦ stands a '$(' that is never closed",
        "cat <<EOF\\n{{ .parameters.x }} ¦ stands a here-document whose delimiter is not a plain"
            + " word",
        "echo \"{{ .parameters.x }} ¦ stands a double quote that is never closed"
      })
  void a_value_whose_quoting_is_not_known_or_wrong_is_refused_when_the_provider_loads(
      String script, String message) {
    Workflows.Read read = Workflows.body(HEAD + script.indent(8));
    assertThat(read.workflow()).isEmpty();
    assertThat(read.texts()).anySatisfy(text -> assertThat(text).contains(message));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cat <<EOF\n{{ .parameters.x }}\nE",
        "cat <<EOF\n{{ .parameters.x }}\nEO\\\nF\n",
        "cat <<EOF \"a\nb\"\n{{ .parameters.x }}\nEOF\n",
        "cat <<EOF $(echo\n)\n{{ .parameters.x }}\nEOF\n",
        "echo $(cat <<EOF)\n{{ .parameters.x }}\nEOF\n",
        "cat <<EOF\n$(cat <<B\n{{ .parameters.x }}\nB\n)\nEOF\n",
        "cat <<EOF\n$(echo\nEOF\n) '{{ .parameters.x }}'\n"
      })
  void a_here_document_that_shells_read_differently_takes_no_values(String script) {
    Workflows.Read read = Workflows.body(HEAD + script.indent(8));
    assertThat(read.workflow()).isEmpty();
    assertThat(read.texts())
        .singleElement()
        .asString()
        .contains("it is not known how the value is quoted");
  }

  @Test
  void a_refused_value_is_reported_where_it_stands_with_the_way_to_write_it() {
    Workflows.Read read =
        Workflows.body(HEAD + "echo fine\necho ${a:{{ .parameters.x }}}\n".indent(8));
    assertThat(read.texts())
        .containsExactly(
            "w.yaml:12:18: steps[0].script: a value stands in ${ }, where the shell evaluates it."
                + " Put the value into 'env' of the step, and write \"$NAME\" outside of"
                + " it.");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '`',
      value = {
        "eval \"echo {{ .parameters.x }}\" ¦ reaches 'eval'",
        "sh -c 'echo {{ .parameters.x }}' ¦ reaches 'sh'",
        "sudo /bin/bash -ec \"echo {{ .parameters.x }}\" ¦ reaches 'bash'",
        "docker exec c sh -c \"{{ .parameters.x }}\" ¦ reaches 'sh'",
        "x=\"$(ssh host {{ .parameters.x }})\" ¦ reaches 'ssh'",
        "if [[ 3 -gt {{ .parameters.x }} ]]; then :; fi ¦ is compared as a number",
        "y=1 {{ .parameters.x }} --version ¦ is the name of a command",
        "true && . {{ .parameters.x }}/env ¦ reaches '.'",
        "python3 -c \"print('{{ .parameters.x }}')\" ¦ reaches 'python3'"
      })
  void the_author_is_warned_of_a_value_that_a_program_may_read_as_code(
      String script, String message) {
    Workflows.Read read = Workflows.body(HEAD + script.indent(8));
    assertThat(read.workflow()).isPresent();
    assertThat(read.texts())
        .singleElement()
        .asString()
        .contains("warning: steps[0].script: a value " + message + ", which may run it as code");
  }

  @Test
  void the_author_is_warned_of_a_here_document_for_a_shell() {
    Workflows.Read read =
        Workflows.body(HEAD + "bash <<EOF\necho {{ .parameters.x }}\nEOF\n".indent(8));
    assertThat(read.texts()).singleElement().asString().contains("a value reaches 'bash'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "y={{ .parameters.x }}\ni=$((i + 1))\necho \"$y$i\"",
        "eval \"$(ssh-agent)\"\necho {{ .parameters.x }}",
        "[ {{ .parameters.x }} = a ] && x={{ .parameters.x }} y=2 env",
        "case {{ .parameters.x }} in a|b) echo 1;; *) echo 2;; esac",
        "if [ {{ .parameters.x }} = b ]; then echo 1; elif [[ $a =~ ^(x|y)$ ]]; then :; else :; fi",
        "a=(1 2 {{ .parameters.x }}); echo \"${a[@]}\" ${#a[@]} ${a[0]}",
        "while read -r l; do echo \"$l\"; done < <(echo {{ .parameters.x }}) 2>/dev/null",
        "curl -fsS https://example.com | sh\necho {{ .parameters.x }}",
        "bash ./run.sh {{ .parameters.x }}",
        "f() { echo \"$1\"; }\nf {{ .parameters.x }}",
        "psql -Atc 'select 1' \"dbname={{ .parameters.x }}\"",
        "cat <<-EOF | grep -c x && cat <<'B'\n"
            + "\t{{ .parameters.x }} $(echo \"a)\")\n"
            + "\tEOF\n"
            + "b {{ .parameters.x }}\n"
            + "B"
      })
  void ordinary_scripts_are_neither_refused_nor_warned_of(String script) {
    assertThat(Workflows.body(HEAD + script.indent(8)).texts()).isEmpty();
    render(script, "v");
  }

  @Test
  void other_interpreters_get_values_through_env_and_stdin_only() {
    Workflows.Read read =
        Workflows.body(HEAD + "#!/usr/bin/env python3\nprint('{{ .parameters.x }}')\n".indent(8));
    assertThat(read.texts())
        .containsExactly(
            "w.yaml:12:16: steps[0].script: templates work in scripts for sh and bash only. Pass"
                + " the value through 'env' or 'stdin' and read it from there.");
  }
}
