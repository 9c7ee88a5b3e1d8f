package dev.slipway.applications.score;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every rule of the format as a document and what is said about it, position included. A case
 * starts with {@code ### sentence}; after {@code >>>} stand the outcome and all diagnostics.
 */
class ScoreCasesTest {
  @TestFactory
  Stream<DynamicTest> every_field_and_constraint() {
    return cases("schema.cases");
  }

  @TestFactory
  Stream<DynamicTest> references_between_the_parts() {
    return cases("references.cases");
  }

  @TestFactory
  Stream<DynamicTest> older_spellings() {
    return cases("upgrades.cases");
  }

  private static Stream<DynamicTest> cases(String file) {
    var tests = new ArrayList<DynamicTest>();
    for (String section : text(file).split("(?m)^### ")) {
      if (!section.isBlank()) {
        int title = section.indexOf('\n');
        int outcome = section.indexOf("\n>>> ");
        String yaml = section.substring(title + 1, outcome + 1);
        String expected = section.substring(outcome + 5).strip();
        tests.add(
            DynamicTest.dynamicTest(
                section.substring(0, title), () -> assertThat(outcome(yaml)).isEqualTo(expected)));
      }
    }
    return tests.stream();
  }

  private static String outcome(String yaml) {
    byte[] bytes = yaml.getBytes(StandardCharsets.UTF_8);
    var outcome = ScoreIntake.read("score.yaml", bytes, Submission.uploaded(Map.of()));
    var text =
        new StringBuilder(
            switch (outcome) {
              case ScoreIntake.Outcome.Accepted _ -> "accepted";
              case ScoreIntake.Outcome.Refused refused -> "refused at " + refused.stage();
            });
    outcome.diagnostics().forEach(d -> text.append('\n').append(d.code()).append(' ').append(d));
    return text.toString();
  }

  private static String text(String file) {
    try (var stream = ScoreCasesTest.class.getResourceAsStream(file)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(file, e);
    }
  }
}
