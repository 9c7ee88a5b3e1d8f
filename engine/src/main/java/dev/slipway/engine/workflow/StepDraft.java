package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A step as written, before it is known what it waits for.
 *
 * @param step complete but for {@code dependsOn}
 * @param section where it was written
 * @param type of its executor; empty after an error
 * @param dependsOn as written; empty when the step waits for all earlier ones
 * @param group the parallel group; empty when it starts alone
 * @param mentioned steps that its templates and conditions refer to, found out later
 * @param inner its compensation and rollback steps
 */
record StepDraft(
    Step step,
    Section section,
    Optional<StepType> type,
    Optional<List<String>> dependsOn,
    Optional<String> group,
    TreeSet<String> mentioned,
    List<StepDraft> inner) {

  String name() {
    return step.name();
  }

  /** What it and its inner steps start, as far as that is known before they run. */
  List<ProgramNeed> programs() {
    List<ProgramNeed> needs = new ArrayList<>();
    if (type.isPresent() && !hasOwnPath()) {
      for (String program : type.get().programs().of(step.config())) {
        needs.add(new ProgramNeed(name(), program, section.path(), section.at()));
      }
    }
    inner.forEach(draft -> needs.addAll(draft.programs()));
    return needs;
  }

  /** A step that says where its programs are is taken at its word. */
  private boolean hasOwnPath() {
    return step.env().containsKey("PATH")
        || step.config().get("env") instanceof Map<?, ?> env && env.containsKey("PATH");
  }
}
