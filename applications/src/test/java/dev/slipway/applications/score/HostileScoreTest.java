package dev.slipway.applications.score;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Any Score text a caller sends is answered with a short list of diagnostics, soon. */
class HostileScoreTest {
  private static final int MIB = 1 << 20;

  /** Far above what any of these takes on a busy machine, far below anything quadratic. */
  private static final Duration SOON = Duration.ofSeconds(60);

  @Test
  void long_values_in_checked_fields_are_judged_quickly() {
    for (String field :
        List.of(
            "id: '" + "a-".repeat(MIB / 3) + "'",
            "id: '" + "a.".repeat(MIB / 3) + "'",
            "type: '" + "a".repeat(MIB / 2) + "'",
            "metadata: {annotations: {slipway.dev/shared-with: '" + "A,".repeat(MIB / 3) + "'}}",
            "params: {a: '" + "${".repeat(MIB / 3) + "'}",
            "params: {a: '" + "${}".repeat(MIB / 4) + "'}",
            "params: {a: '" + "${resources.x.y}".repeat(MIB / 20) + "'}",
            "params: {a: '" + "$".repeat(MIB - 200) + "'}")) {
      Assertions.assertTimeout(SOON, () -> score("db: {type: postgres, " + field + "}"));
    }
  }

  @Test
  void thousands_of_wrong_names_cost_little_and_fill_a_short_list() {
    var resources = new StringBuilder();
    String stem = "q".repeat(55);
    for (int i = 0; i < 2_000; i++) {
      String name = stem + i;
      resources.append("  ").append(name).append(": {type: xx, params: {a: '${resources.");
      resources.append(stem).append("x").append(i).append("}'}}\n");
    }
    var outcome = Assertions.assertTimeout(SOON, () -> score(resources.toString().strip()));
    assertThat(outcome.diagnostics()).hasSize(Diagnostics.MAX + 1);
  }

  @Test
  void a_cycle_of_thousands_is_found_and_shown_short() {
    var resources = new StringBuilder();
    for (int i = 0; i < 2_400; i++) {
      resources.append("  r").append(i).append(": {type: xx, params: {a: '${resources.r");
      resources.append((i + 1) % 2_400).append("}'}}\n");
    }
    var outcome = Assertions.assertTimeout(SOON, () -> score(resources.toString().strip()));
    assertThat(outcome.diagnostics().getLast().message())
        .startsWith("resources wait for each other: r0 -> r1 -> ")
        .endsWith("... (2388 more) -> r0");
  }

  @Test
  void no_mutation_of_a_document_makes_intake_throw() {
    var random = new Random(20_260_101);
    byte[] seed = ScoreTest.FULL.getBytes(StandardCharsets.UTF_8);
    int accepted = 0;
    for (int i = 0; i < 4_000; i++) {
      byte[] bytes = mutated(seed, random);
      var outcome = ScoreIntake.read("score.yaml", bytes, Submission.OFFLINE);
      switch (outcome) {
        case ScoreIntake.Outcome.Accepted _ -> accepted++;
        case ScoreIntake.Outcome.Refused refused ->
            assertThat(refused.diagnostics()).anyMatch(Diagnostic::isError);
      }
    }
    // Otherwise the mutations would be so wild that they never got past the parser.
    assertThat(accepted).isBetween(100, 3_500);
  }

  private static final List<String> SCRAPS =
      List.of(
          "${",
          "}",
          "$",
          ": ",
          "- ",
          "\n",
          "  ",
          "\t",
          "&a ",
          "*a",
          "<<: *a",
          "!!str ",
          "!x ",
          "{",
          "[",
          "]",
          "'",
          "\"",
          "|",
          ">",
          "#",
          "---\n",
          "\0",
          "\u0001",
          "null",
          "true",
          "0x1F",
          "1e999",
          ".inf",
          "${resources.db}",
          "${metadata.x}",
          "ä",
          "😀",
          "\uFEFF",
          "%",
          "@",
          "`");

  private static byte[] mutated(byte[] seed, Random random) {
    var text = new StringBuilder(new String(seed, StandardCharsets.UTF_8));
    for (int n = random.nextInt(4); n >= 0; n--) {
      int at = random.nextInt(text.length());
      int end = Math.min(text.length(), at + 1 + random.nextInt(12));
      switch (random.nextInt(5)) {
        case 0 -> text.delete(at, end);
        case 1 -> text.insert(at, SCRAPS.get(random.nextInt(SCRAPS.size())));
        case 2 -> text.replace(at, end, SCRAPS.get(random.nextInt(SCRAPS.size())));
        case 3 -> text.insert(random.nextInt(text.length()), text.substring(at, end));
        default -> text.setCharAt(at, (char) (random.nextInt(96) + 32));
      }
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    if (random.nextInt(10) == 0) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  private static ScoreIntake.Outcome score(String resources) {
    String text =
        "apiVersion: score.dev/v1b1\nmetadata: {name: shop}\nresources:\n  " + resources + "\n";
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return ScoreIntake.read("score.yaml", bytes, Submission.uploaded(Map.of()));
  }
}
