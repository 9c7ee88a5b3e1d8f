package dev.slipway.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How often an owner whose objects change is looked at. */
class OwnerBudgetTest {
  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

  private final OwnerBudget budget = new OwnerBudget();

  private List<String> changedAndTaken(String owner, Instant now) {
    budget.add(owner, now);
    return budget.take(now);
  }

  @Test
  void one_that_changes_is_looked_at_at_once_and_changes_before_it_share_the_look() {
    budget.add("a", BEGIN);
    budget.add("a", BEGIN);
    budget.add("b", BEGIN);
    assertThat(budget.take(BEGIN)).containsExactlyInAnyOrder("a", "b");
    assertThat(budget.take(BEGIN)).isEmpty();
    assertThat(budget.next()).isEmpty();
  }

  @Test
  void one_that_changes_without_end_is_looked_at_every_ten_seconds_and_keeps_no_other_waiting() {
    for (int i = 0; i < 5; i++) {
      assertThat(changedAndTaken("a", BEGIN)).containsExactly("a");
    }
    assertThat(changedAndTaken("a", BEGIN)).isEmpty();
    assertThat(budget.next()).contains(BEGIN.plusSeconds(10));
    assertThat(changedAndTaken("b", BEGIN)).containsExactly("b");
    assertThat(budget.take(BEGIN.plusSeconds(9))).isEmpty();
    assertThat(budget.take(BEGIN.plusSeconds(10))).containsExactly("a");
    assertThat(changedAndTaken("a", BEGIN.plusSeconds(11))).isEmpty();
    assertThat(budget.next()).contains(BEGIN.plusSeconds(20));
  }

  @Test
  void one_that_was_quiet_for_a_minute_has_its_whole_budget_again() {
    for (int i = 0; i < 6; i++) {
      changedAndTaken("a", BEGIN);
    }
    Instant later = BEGIN.plusSeconds(70);
    budget.take(later);
    for (int i = 0; i < 4; i++) {
      assertThat(changedAndTaken("a", later)).containsExactly("a");
    }
  }
}
