package dev.slipway.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  private static final Route CHANGE = route(Route.Lane.CHANGES);
  private static final Route CANCEL = route(Route.Lane.RELIEF);

  private final AtomicInteger room = new AtomicInteger(2);
  private final Admission gate = new Admission(room::get, 1, () -> 0, () -> 1);

  private static Route route(Route.Lane lane) {
    return Route.post("/x").open().in(lane).by(call -> Answer.ok("x"));
  }

  @Test
  void a_call_that_is_not_admitted_in_time_is_answered_server_busy_and_not_database_busy()
      throws InterruptedException {
    try (Admission.Place turn = gate.turn(CHANGE)) {
      assertThatThrownBy(() -> gate.turn(CHANGE))
          .isInstanceOfSatisfying(
              ProblemException.class,
              e -> {
                assertThat(e.problem().status()).isEqualTo(503);
                assertThat(e.problem().kind()).isEqualTo("server-busy");
                assertThat(e.problem().headers()).containsKey("Retry-After");
              });
      gate.turn(CANCEL).close();
    }
    gate.turn(CHANGE).close();
  }

  @Test
  void a_limit_that_is_changed_counts_at_once() {
    Admission.Place first = gate.enter(CHANGE);
    Admission.Place second = gate.enter(CHANGE);
    assertThatThrownBy(() -> gate.enter(CHANGE)).isInstanceOf(ProblemException.class);
    gate.enter(CANCEL).close();
    room.set(3);
    gate.enter(CHANGE).close();
    room.set(1);
    first.close();
    assertThatThrownBy(() -> gate.enter(CHANGE)).hasMessageContaining("1 changes");
    second.close();
    gate.enter(CHANGE).close();
  }
}
