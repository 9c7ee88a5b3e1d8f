package dev.slipway.engine.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
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
        "echo $'a\\n{{ .parameters.x }}' ¦ echo $'a\\n'\"${SLIPWAY_V1}\"$''",
        "x={{ .parameters.x }} ¦ x=\"${SLIPWAY_V1}\"",
        "echo \"$(cat {{ .parameters.x }})\" ¦ echo \"$(cat \"${SLIPWAY_V1}\")\"",
        "echo `cat {{ .parameters.x }}` ¦ echo `cat \"${SLIPWAY_V1}\"`",
        "echo \"${HOME:-{{ .parameters.x }}}\" ¦ echo \"${HOME:-${SLIPWAY_V1}}\"",
        "echo ${HOME:-{{ .parameters.x }}} ¦ echo ${HOME:-\"${SLIPWAY_V1}\"}",
        "true # {{ .parameters.x }} ¦ true # ${SLIPWAY_V1}",
        "echo $((5 - {{ .parameters.n }})) ¦ echo $((5 - (${SLIPWAY_V1})))",
        "eval \"x={{ .parameters.n }}\" ¦ eval \"x=${SLIPWAY_V1}\"",
        "cat <{{ .parameters.x }} >'{{ .parameters.x }}' ¦ cat <\"${SLIPWAY_V1}\""
            + " >''\"${SLIPWAY_V1}\"''",
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
  @ValueSource(strings = {"EOF", "a\nEOF\nid", "xEOFx"})
  void a_value_that_contains_the_delimiter_of_its_quoted_here_document_is_refused(String value) {
    assertThatThrownBy(() -> render("cat <<'EOF'\n{{ .parameters.x }}F\nEOF", value))
        .isInstanceOf(RenderingException.class)
        .hasMessageContaining("the delimiter of its here-document");
  }

  @Test
  void nul_and_oversized_values_are_refused() {
    assertThatThrownBy(() -> render("echo {{ .parameters.x }}", "a\0b"))
        .hasMessage("script: a value contains a NUL character, which no program can be given");
    assertThatThrownBy(() -> render("echo {{ .parameters.x }}", "a".repeat(140_000)))
        .hasMessageStartingWith("script: a value of 140000 bytes is too long");
  }

  @Test
  void branches_and_loops_are_followed_when_the_script_is_rendered() {
    String script =
        "{{ if .parameters.x }}echo \"{{ else }}echo '{{ end }}{{ .parameters.x }}{{ if"
            + " .parameters.x }}\"{{ else }}'{{ end }}\n"
            + "{{ range $i, $v := .parameters.x }}{{ end }}true";
    assertThatThrownBy(() -> render(script, "v")).isInstanceOf(RenderingException.class);
    String loop = "{{ range .parameters.x }}echo {{ . }}\n{{ end }}";
    assertThat(render(loop, java.util.List.of("a", "b")).text())
        .isEqualTo("echo \"${SLIPWAY_V1}\"\necho \"${SLIPWAY_V2}\"\n\n");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '`',
      value = {
        "eval \"echo {{ .parameters.x }}\" ¦ a value in eval would be run as code",
        "sh -c 'echo {{ .parameters.x }}' ¦ a value in sh -c would be run as code",
        "/bin/bash -ec \"echo {{ .parameters.x }}\" ¦ a value in bash -c would be run as code",
        "sudo bash -c \"{{ .parameters.x }}\" ¦ a value in bash -c would be run as code",
        "docker exec c sh -c \"{{ .parameters.x }}\" ¦ a value in sh -c would be run as code",
        "echo $(( {{ .parameters.x }} + 1 )) ¦ a value in arithmetic would be run as code",
        "(( y = {{ .parameters.x }} )) ¦ a value in arithmetic would be run as code",
        "let y={{ .parameters.x }} ¦ a value in let would be run as code",
        "[[ {{ .parameters.x }} -gt 3 ]] ¦ a value in arithmetic would be run as code",
        "echo ${a[{{ .parameters.x }}]} ¦ a value in arithmetic would be run as code",
        "echo ${a:{{ .parameters.x }}} ¦ a value in arithmetic would be run as code",
        "y={{ .parameters.x }}; eval \"$y\" ¦ a value reaches eval through $y and would be run as"
            + " code",
        "y={{ .parameters.x }}; z=\"a$y\"; echo $((z)) ¦ a value reaches arithmetic through $z and"
            + " would be run as code",
        "export y={{ .parameters.x }}; sh -c \"echo $y\" ¦ a value reaches sh -c through $y and"
            + " would be run as code",
        "for y in {{ .parameters.x }}; do eval $y; done ¦ a value reaches eval through $y and would"
            + " be run as code",
        "echo {{ .parameters.x }} | while read y; do echo $((y)); done ¦ a value reaches arithmetic"
            + " through $y and would be run as code",
        "f() { eval \"$1\"; }; f {{ .parameters.x }} ¦ a value reaches eval through $1, $@ and"
            + " would be run as code",
        "declare -i y={{ .parameters.x }} ¦ a value in arithmetic would be run as code",
        "y={{ .parameters.x }}; echo ${!y} ¦ a value reaches arithmetic through $y and would be run"
            + " as code",
        "{{ .parameters.x }} --version ¦ a value in the name of a command would be run as code",
        "exec {{ .parameters.x }} ¦ a value in the name of a command would be run as code",
        "trap {{ .parameters.x }} EXIT ¦ a value in the code of trap would be run as code",
        ". {{ .parameters.x }}/env ¦ a value in the code of . would be run as code",
        "echo {{ .parameters.x }} | bash ¦ a value in the input of bash would be run as code",
        "bash <<< {{ .parameters.x }} ¦ a value in the input of bash would be run as code",
        "python3 -c \"print('{{ .parameters.x }}')\" ¦ a value in the code for python3 would be run"
            + " as code",
        "sed -i \"s/a/{{ .parameters.x }}/\" f ¦ a value in a sed script could run commands",
        "PS4={{ .parameters.x }} ¦ a value in PS4 would be run as code",
        "read {{ .parameters.x }} ¦ a value in the name of a variable for read would be run as"
            + " code",
        "echo \\{{ .parameters.x }} ¦ a backslash stands right before a value",
        "echo \"\\{{ .parameters.x }}\" ¦ a backslash stands right before a value",
        "echo \"$ {{ .parameters.x }} ${{ .parameters.x }}\" ¦ a dollar sign stands right before a"
            + " value",
        "echo ${a#{{ .parameters.x }}} ¦ a value stands in the pattern of an expansion",
        "for {{ .parameters.x }} in a; do :; done ¦ a value is the name of a loop's variable",
        "echo \"{{ .parameters.x }} ¦ the script cannot be understood: a double quote is never"
            + " closed"
      })
  void what_would_run_as_code_is_refused_when_the_provider_loads(String script, String message) {
    Workflows.Read read = Workflows.body(HEAD + script.indent(8));
    assertThat(read.workflow()).isEmpty();
    assertThat(read.texts()).anySatisfy(text -> assertThat(text).contains(": " + message));
  }

  @Test
  void an_unsafe_value_is_reported_where_it_stands() {
    Workflows.Read read =
        Workflows.body(HEAD + "echo fine\necho $(( 1 + {{ .parameters.x }} ))\n".indent(8));
    assertThat(read.texts())
        .containsExactly(
            "w.yaml:12:22: steps[0].script: a value in arithmetic would be run as code. Use a"
                + " parameter of type integer, or pass the value as an argument to a program that"
                + " does not read it as code.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "y={{ .parameters.x }}\ni=$((i + 1))\necho \"$y$i\"",
        "eval \"$(ssh-agent)\"\necho {{ .parameters.x }}",
        "sed --sandbox \"s/a/{{ .parameters.x }}/\" f",
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
  void ordinary_scripts_are_not_refused(String script) {
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
