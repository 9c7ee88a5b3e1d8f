package dev.slipway.gotemplate.regex;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every case was run through Go's regexp; cases.tsv holds what it answered. */
class RegexAgainstGoTest {
  /** Names of sets that RE2/J does not know, and one whose other case it does not add. */
  private static final Set<String> KNOWN_DIFFERENCES =
      Set.of(
          "\\p{ASCII}",
          "\\p{Assigned}",
          "\\p{LC}",
          "\\p{Letter}",
          "\\p{uppercase_letter}",
          "(?i)\\p{Ll}+");

  @Test
  void every_pattern_gives_what_go_gives() throws IOException {
    List<String> differences = new ArrayList<>();
    Set<String> known = new HashSet<>();
    List<String> cases = cases();
    for (String line : cases) {
      String[] fields = line.split("\t", -1);
      String expected = line.substring(line.indexOf('\t') + 1);
      String actual =
          fields[1].equals("error") && fields.length == 3
              ? "error\t" + escape(errorOf(unescape(fields[0])))
              : fields[1] + "\t" + outcome(unescape(fields[0]), unescape(fields[1]));
      if (!actual.equals(expected) && KNOWN_DIFFERENCES.contains(unescape(fields[0]))) {
        known.add(unescape(fields[0]));
      } else if (!actual.equals(expected)) {
        differences.add(fields[0] + "\n   go   " + expected + "\n   java " + actual);
      }
    }
    assertThat(cases).hasSizeGreaterThan(5000);
    assertThat(differences).isEmpty();
    assertThat(known).isEqualTo(KNOWN_DIFFERENCES);
  }

  private static String errorOf(String pattern) {
    try {
      Regex.compile(pattern);
      return "";
    } catch (RegexSyntaxException e) {
      return e.getMessage();
    }
  }

  private static String outcome(String pattern, String text) {
    Regex regex;
    try {
      regex = Regex.compile(pattern);
    } catch (RegexSyntaxException e) {
      return e.getMessage();
    }
    int groups = regex.groupNames().size();
    return regex.findAll(text, -1).stream()
            .map(m -> join(IntStream.range(0, 2 * groups).map(i -> bound(m, i)).toArray()))
            .collect(Collectors.joining(";"))
        + "\t"
        + escape(regex.replaceAll(text, "<$1${2}$n$$>"))
        + "\t"
        + split(regex, text, -1)
        + "\t"
        + split(regex, text, 2)
        + "\t"
        + regex.findAll(text, 2).size();
  }

  private static int bound(Match match, int index) {
    return index % 2 == 0 ? match.start(index / 2) : match.end(index / 2);
  }

  private static String split(Regex regex, String text, int limit) {
    List<String> pieces = regex.split(text, limit);
    return pieces.size() + ":" + escape(String.join("|", pieces));
  }

  private static String join(int[] numbers) {
    return IntStream.of(numbers).mapToObj(Integer::toString).collect(Collectors.joining(","));
  }

  private static List<String> cases() throws IOException {
    try (InputStream in = RegexAgainstGoTest.class.getResourceAsStream("cases.tsv")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private static String escape(String text) {
    return text.replace("\\", "\\\\")
        .replace("\t", "\\t")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }

  private static String unescape(String text) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        out.append(c);
        continue;
      }
      char next = text.charAt(++i);
      out.append(next == 't' ? '\t' : next == 'n' ? '\n' : next == 'r' ? '\r' : next);
    }
    return out.toString();
  }
}
