package dev.slipway.applications.faults;

import java.util.Set;

/** What is run, and how it may end: whatever happens to the stores, never in another way. */
enum Life {
  PLAIN(
      """
      - {name: one, type: work}
      - {name: two, type: work}
      - {name: three, type: work}
      """,
      "succeeded"),
  PARALLEL(
      """
      - {name: first, type: work}
      - {name: left, type: work, dependsOn: [first]}
      - {name: right, type: work, dependsOn: [first]}
      - {name: last, type: work, dependsOn: [left, right]}
      """,
      "succeeded"),
  RETRY(
      """
      - {name: flaky, type: work, retry: {attempts: 4, delay: 4s}}
      - {name: after, type: work}
      """,
      "succeeded"),
  ROLLBACK(
      """
      - {name: one, type: work, compensate: [{name: undo-one, type: work}]}
      - {name: two, type: work, compensate: [{name: undo-two, type: work}]}
      - {name: bad, type: work, on_error: rollback}
      """,
      "failed"),
  CALL(
      """
      - {name: before, type: work}
      - {name: call, workflow: called}
      - {name: after, type: work}
      """,
      "succeeded"),
  WAIT(
      """
      - {name: nap, type: wait, duration: 25s}
      - {name: after, type: work}
      """,
      "succeeded"),
  ASK(
      """
      - {name: ask, type: approval}
      - {name: act, type: work}
      """,
      "succeeded"),
  REFUSED(
      """
      - {name: ask, type: approval}
      - {name: act, type: work}
      """,
      "failed"),
  CANCEL(
      """
      - {name: before, type: work}
      - {name: long, type: work}
      - {name: clean, type: work, when: always}
      """,
      "cancelled",
      "succeeded"),
  GATE(
      """
      - {name: before, type: work}
      - {name: act, type: work, when: manual}
      """,
      "succeeded"),
  CANCELLED_GATE(
      """
      - {name: act, type: work, when: manual}
      - {name: clean, type: work, when: always}
      """,
      "cancelled"),
  CANCELLED_ASK(
      """
      - {name: ask, type: approval}
      - {name: clean, type: work, when: always}
      """,
      "cancelled");

  /** What {@link #CALL} calls. */
  static final String CALLED =
      """
      - {name: inner, type: work}
      - {name: flaky, type: work, retry: {attempts: 4, delay: 4s}}
      """;

  final String steps;
  final Set<String> ends;

  Life(String steps, String... ends) {
    this.steps = steps;
    this.ends = Set.of(ends);
  }

  boolean cancelled() {
    return this == CANCEL || this == CANCELLED_ASK || this == CANCELLED_GATE;
  }

  static String workflow(String name, String steps) {
    return "apiVersion: innominatus.io/v1alpha1\nkind: Workflow\nmetadata: {name: "
        + name
        + "}\nsteps:\n"
        + steps.indent(2);
  }
}
