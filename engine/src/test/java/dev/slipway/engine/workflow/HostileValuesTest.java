package dev.slipway.engine.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No parameter value can ever execute as shell code: thousands of generated hostile values, in
 * every place where a value may stand, through real shells. Each must arrive byte for byte, and
 * nothing else may happen.
 */
class HostileValuesTest {
  private static final int VALUES = 10_500;
  private static final int BATCH_CHARACTERS = 40_000;

  /** Each line is one place; what it prints ends with NUL. */
  private static final String EVERY_SHELL =
      """
      show() { printf '%s\\0' "$1"; }
      {{ range .parameters.values }}
      show {{ . }} # a comment {{ . }}
      show "<{{ . }}>"
      show '<{{ . }}>'
      show pre{{ . }}post
      v={{ . }}; show "$v"
      w="a${v}b"{{ . }}'c'; show "$w"
      show "${u:-{{ . }}}"
      show ${u:-{{ . }}}
      show "${v+{{ . }}}"
      case {{ . }} in {{ . }}) show same;; *) show different;; esac
      if [ x{{ . }} = x"{{ . }}" ]; then show same; else show different; fi
      for i in {{ . }} end; do show "$i"; done
      {{ end }}
      cat <<EOF
      {{ range .parameters.values }}{{ . }}$u⁂{{ end }}
      EOF
      printf '\\0'
      cat <<'VERBATIM_END'
      {{ range .parameters.values }}{{ . }}⁂{{ end }}
      VERBATIM_END
      printf '\\0'
      show "$({{ range .parameters.values }}
      printf '%s⁂' {{ . }} "{{ . }}"{{ end }}
      )"
      show "$(cat <<EOF
      {{ range .parameters.values }}{{ . }}⁂{{ end }}
      EOF
      )"
      show `echo "it's" \\`echo\\``{{ index .parameters.values 0 }}
      """;

  private static final String BASH_ONLY =
      """
      {{ range .parameters.values }}
      show $'\\x41'{{ . }}$'\\'z'
      if [[ x{{ . }} == x{{ . }} ]]; then show same; else show different; fi
      a=(one {{ . }} "{{ . }}"); show "${a[1]}${#a[@]}"
      {{ end }}
      cat <<< {{ index .parameters.values 0 }}
      printf '\\0'
      """;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"bash", "sh"})
  void every_value_arrives_as_it_is_in_every_place_and_nothing_runs(String shell) throws Exception {
    Path room = Files.createDirectory(directory.resolve("room"));
    String script = EVERY_SHELL + (shell.equals("bash") ? BASH_ONLY : "");
    int tried = 0;
    for (List<String> batch : batches()) {
      RenderedScript rendered = render(script, shell, batch);
      assertThat(run(rendered, shell, room)).isEqualTo(expected(batch, shell));
      tried += batch.size();
      try (Stream<Path> files = Files.list(room)) {
        assertThat(files).as("files that a value made").isEmpty();
      }
    }
    assertThat(tried).isGreaterThanOrEqualTo(10_000);
  }

  @Test
  void a_value_of_a_hundred_thousand_characters_arrives_too() throws Exception {
    String value = "'$(touch canary)\"`\n".repeat(5_500);
    Path room = Files.createDirectory(directory.resolve("room"));
    RenderedScript rendered =
        render("printf '%s\\0' {{ index .parameters.values 0 }}\n", "bash", List.of(value));
    assertThat(run(rendered, "bash", room)).isEqualTo(value + "\0");
  }

  private static RenderedScript render(String script, String shell, List<String> values) {
    String text =
        "parameters: [{name: values, type: array}]\nsteps:\n  - name: run\n    type: shell\n"
            + "    interpreter: "
            + shell
            + "\n    script: |\n"
            + script.indent(6);
    Workflow workflow = Workflows.body(text).good();
    Step step = workflow.steps().getFirst();
    Scope scope = Scope.of(Map.of("values", values), Instant.EPOCH);
    return (RenderedScript) new Rendering(Workflows.TYPES).config(step, scope).get("script");
  }

  /** Gives the shell its environment byte for byte, whatever the locale of this JVM. */
  private String run(RenderedScript script, String shell, Path room) throws Exception {
    ByteArrayOutputStream variables = new ByteArrayOutputStream();
    script
        .env()
        .forEach(
            (name, value) ->
                variables.writeBytes((name + "=" + value + "\0").getBytes(StandardCharsets.UTF_8)));
    Path env = Files.write(directory.resolve("env"), variables.toByteArray());
    Path file = Files.writeString(directory.resolve("script"), script.text());
    String start =
        "while IFS= read -r -d '' v; do export \"$v\"; done < \"$0\"; exec \"$1\" \"$2\" 2>&1";
    Process process =
        new ProcessBuilder("bash", "-c", start, env.toString(), shell, file.toString())
            .directory(room.toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }

  private static String expected(List<String> batch, String shell) {
    StringBuilder all = new StringBuilder();
    for (String v : batch) {
      for (String line :
          List.of(
              v,
              "<" + v + ">",
              "<" + v + ">",
              "pre" + v + "post",
              v,
              "a" + v + "b" + v + "c",
              v,
              v,
              v,
              "same",
              "same",
              v,
              "end")) {
        all.append(line).append('\0');
      }
    }
    String marked = String.join("⁂", batch) + "⁂";
    all.append(marked).append("\n\0").append(marked).append("\n\0");
    StringBuilder twice = new StringBuilder();
    batch.forEach(v -> twice.append(v).append('⁂').append(v).append('⁂'));
    all.append(twice).append('\0').append(marked).append('\0');
    all.append("it's").append(batch.getFirst()).append('\0');
    if (shell.equals("bash")) {
      for (String v : batch) {
        all.append('A').append(v).append("'z\0same\0").append(v).append("3\0");
      }
      all.append(batch.getFirst()).append("\n\0");
    }
    return all.toString();
  }

  private static List<List<String>> batches() {
    List<List<String>> batches = new ArrayList<>();
    List<String> batch = new ArrayList<>();
    int characters = 0;
    for (String value : values()) {
      batch.add(value);
      characters += value.length() + 40;
      if (characters > BATCH_CHARACTERS) {
        batches.add(batch);
        batch = new ArrayList<>();
        characters = 0;
      }
    }
    batches.add(batch);
    return batches;
  }

  private static Set<String> values() {
    String[] bits = {
      "'",
      "\"",
      "`",
      "$",
      "\\",
      "\n",
      "\r\n",
      "\t",
      " ",
      "  ",
      ";",
      "&",
      "|",
      "&&",
      "||",
      "<",
      ">",
      "(",
      ")",
      "{",
      "}",
      "[",
      "]",
      "#",
      "!",
      "~",
      "*",
      "?",
      "=",
      "%",
      "%s",
      "^",
      ",",
      "-",
      "--",
      "-n",
      "-e",
      "-c",
      "$(touch canary)",
      "`touch canary`",
      "; touch canary;",
      "\ntouch canary\n",
      "$((a[$(touch canary)]))",
      "${IFS}",
      "$HOME",
      "${x:=$(touch canary)}",
      "$'\\x27'",
      "'\"'\"'",
      "EOF",
      "\nEOF\n",
      "\nVERBATIM_END\ntouch canary\n",
      "<<EOF",
      "> canary",
      "| tee canary",
      "& touch canary &",
      "a[$(touch canary)]",
      "() { :; }; touch canary",
      "{a,b}",
      "{1..9}",
      "\\'",
      "\\\"",
      "\\\n",
      "\\\\",
      "$((1+1))",
      "$[1+1]",
      "@P",
      "x=y",
      "PATH=.",
      "eval",
      "é",
      "漢字",
      "🚀",
      "\u202e",
      "\u00a0",
      "\u2028",
      "\ufeff",
      "\u0007",
      "\u001b[31m",
      "\u007f",
      "{{ .x }}",
      "${parameters.x}",
      "{{",
      "}}",
      "a",
      "b",
      "1",
      "0"
    };
    Random random = new Random(20_250_101);
    Set<String> values = new LinkedHashSet<>(List.of(bits));
    values.add("");
    while (values.size() < VALUES) {
      StringBuilder value = new StringBuilder();
      int length = random.nextInt(100) == 0 ? 200 : 1 + random.nextInt(7);
      for (int i = 0; i < length; i++) {
        value.append(bits[random.nextInt(bits.length)]);
      }
      values.add(value.toString());
    }
    return values;
  }
}
