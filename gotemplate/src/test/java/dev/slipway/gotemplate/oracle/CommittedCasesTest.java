package dev.slipway.gotemplate.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CommittedCasesTest {
  @Test
  void every_committed_case_ends_as_in_go() {
    KnownDifferences known = new KnownDifferences();
    List<Difference> unknown = new ArrayList<>();
    List<OracleCase> cases = CommittedCases.all();
    for (OracleCase each : cases) {
      Outcome java = JavaSide.run(each);
      Difference difference = new Difference(each, java);
      if (!Outcome.same(each.go(), java) && !known.know(difference)) {
        unknown.add(difference);
      }
    }
    assertThat(unknown)
        .withFailMessage(
            () ->
                "%d of %d cases differ from Go:%n%s"
                    .formatted(unknown.size(), cases.size(), Difference.table(unknown)))
        .isEmpty();
    assertThat(known.stale()).as("known differences that are none").isEmpty();
  }

  @Test
  void there_are_thousands_of_cases_and_each_has_its_own_id() {
    List<OracleCase> cases = CommittedCases.all();
    Set<String> ids = new HashSet<>();
    cases.forEach(each -> ids.add(each.id()));
    assertThat(cases).hasSizeGreaterThan(5_000);
    assertThat(ids).hasSameSizeAs(cases);
  }
}
