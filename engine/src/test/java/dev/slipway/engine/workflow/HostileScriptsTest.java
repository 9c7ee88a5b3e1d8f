package dev.slipway.engine.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random scripts with hostile values at random places, read by real shells: in a script that the
 * renderer accepts, no part of a value runs and each value stays one word. The renderer may refuse;
 * it may not be wrong about where a value stands.
 */
class HostileScriptsTest {
  private static final int SCRIPTS = Integer.getInteger("slipway.test.scripts", 300);
  private static final String VALUE = "\u0002";
  private static final String[] VALUES = {
    "$(touch canary)",
    "\ntouch canary\n",
    "`touch canary`",
    "; touch canary;",
    "'; touch canary; '",
    "\"; touch canary; \"",
    "a[$(touch canary)]",
    "')\ntouch canary\n",
    "x\nEO\ntouch canary #",
    "}; touch canary; {",
    "\n)\ntouch canary\n",
    "touch canary"
  };

  /** What an unquoted substitution prints is split again, as its author wrote. */
  private enum Substitutions {
    ANY,
    QUOTED
  }

  private Substitutions substitutions = Substitutions.ANY;
  private final List<String> documents = new ArrayList<>();
  private Random random = new Random();

  @TempDir Path room;

  @ParameterizedTest
  @ValueSource(strings = {"bash", "sh"})
  void nothing_of_a_value_runs_wherever_it_stands(String shell) throws Exception {
    random = new Random(11);
    int accepted = 0;
    for (int i = 0; i < SCRIPTS; i++) {
      String script = list(3) + "\n" + mangled(list(2)) + "\n";
      String value = VALUES[random.nextInt(VALUES.length)];
      try {
        run(ScriptRendering.render(pieces(script, value), shell), shell);
        accepted++;
      } catch (RenderingException e) {
        assertThat(e.getMessage()).isNotBlank();
      }
      try (Stream<Path> files = Files.list(room)) {
        assertThat(files).as("made by %s with %s", script, value).isEmpty();
      }
    }
    assertThat(accepted).isGreaterThan(SCRIPTS / 4);
  }

  /** A value that the shell splits or expands would print something else than a plain word. */
  @ParameterizedTest
  @ValueSource(strings = {"bash", "sh"})
  void a_value_stays_one_word_wherever_it_stands(String shell) throws Exception {
    random = new Random(12);
    substitutions = Substitutions.QUOTED;
    int accepted = 0;
    for (int i = 0; i < SCRIPTS; i++) {
      String script = list(3) + "\n";
      try {
        String plain = run(ScriptRendering.render(pieces(script, "PLAIN"), shell), shell);
        String odd = run(ScriptRendering.render(pieces(script, "x  *  y"), shell), shell);
        assertThat(odd).as(script).isEqualTo(plain.replace("PLAIN", "x  *  y"));
        accepted++;
      } catch (RenderingException e) {
        assertThat(e.getMessage()).isNotBlank();
      }
    }
    assertThat(accepted).isGreaterThan(SCRIPTS / 4);
  }

  private static List<Piece> pieces(String script, String value) {
    List<Piece> pieces = new ArrayList<>();
    for (String part : script.split("((?<=\u0002)|(?=\u0002))")) {
      pieces.add(
          part.equals(VALUE)
              ? new Piece.Emitted(value, Piece.Origin.ACTION)
              : new Piece.Authored(part));
    }
    return pieces;
  }

  private String run(RenderedScript script, String shell) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("timeout", "5", shell, "-c", script.text());
    builder.directory(room.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin");
    builder.environment().putAll(script.env());
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return output;
  }

  /** Now and then a sign is lost or added, as people do. */
  private String mangled(String script) {
    StringBuilder text = new StringBuilder(script);
    if (random.nextInt(3) == 0 && !text.isEmpty()) {
      int at = random.nextInt(text.length());
      if (random.nextBoolean()) {
        text.deleteCharAt(at);
      } else {
        text.insert(at, "'\"`$(){}\\\n#<|;".charAt(random.nextInt(14)));
      }
    }
    return text.toString();
  }

  private String list(int depth) {
    StringBuilder text = new StringBuilder();
    for (int n = 1 + random.nextInt(3); n > 0; n--) {
      text.append(line(depth));
    }
    return text.toString();
  }

  private String line(int depth) {
    int before = documents.size();
    String command = command(depth);
    String end = pick("\n", "\n", "; true\n", " # it's \u0002 <<'EOF'\n", " && true\n", " | cat\n");
    StringBuilder text = new StringBuilder(command).append(end);
    while (documents.size() > before) {
      text.append(documents.remove(before));
    }
    return text.toString();
  }

  private String command(int depth) {
    if (depth <= 0) {
      return "echo " + word(depth);
    }
    return switch (random.nextInt(12)) {
      case 0 -> "x=" + word(depth);
      case 1 -> "if [ " + word(depth - 1) + " = b ]; then " + inline(depth) + "; fi";
      case 2 -> "for i in " + word(depth - 1) + " c; do " + inline(depth) + "; done";
      case 3 -> "case " + word(depth - 1) + " in " + word(0) + "|*) " + inline(depth) + ";; esac";
      case 4 -> "( " + inline(depth) + " )";
      case 5 -> "{ " + inline(depth) + "; }";
      case 6 -> "cat " + document("<<EOF", "EOF");
      case 7 -> "cat " + document("<<'EOF'", "EOF");
      case 8 -> "cat " + document("<<-\"EOF\"", "\tEOF") + " " + document("<<\\E1", "E1");
      case 9 -> "f() { echo \"$1\"; }; f " + word(depth - 1);
      default -> "printf %s " + word(depth) + " " + word(depth - 1);
    };
  }

  private String inline(int depth) {
    return "echo " + word(depth - 1);
  }

  private String document(String start, String end) {
    String body =
        pick("text", "it's", "\u0002", "a \u0002 b", "\"$x\u0002", "`echo \u0002`", "${u:-\u0002}");
    documents.add(body + "\n" + end + "\n");
    return start;
  }

  private String word(int depth) {
    StringBuilder text = new StringBuilder();
    for (int n = 1 + random.nextInt(2); n > 0; n--) {
      text.append(
          switch (random.nextInt(depth > 0 ? 12 : 6)) {
            case 0 -> "a";
            case 1 -> VALUE;
            case 2 -> "'b \u0002 \\'";
            case 3 -> "\"c \u0002 $x\"";
            case 4 -> "\\'";
            case 5 -> "\"it's\"";
            case 6 ->
                substitutions == Substitutions.ANY ? "$(" + command(depth - 1) + ")" : "plain";
            case 7 -> "\"$(" + command(depth - 1) + ")\"";
            case 8 -> "`echo " + word(0) + "`";
            case 9 -> "${u:-" + word(0) + "}";
            case 10 -> "\"${u:-\u0002}\"";
            default -> "$((1 + (2)))";
          });
    }
    return text.toString();
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
