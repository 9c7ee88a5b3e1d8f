package dev.slipway.engine.workflow;

import dev.slipway.engine.graph.Dag;
import dev.slipway.engine.intake.Nearest;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Works out what each step waits for, and refuses steps that wait for each other. */
final class StepOrder {
  private final List<StepDraft> drafts;
  private final List<String> names;
  private final Map<String, Set<String>> waits = new LinkedHashMap<>();

  StepOrder(List<StepDraft> drafts) {
    this.drafts = drafts;
    this.names = drafts.stream().map(StepDraft::name).toList();
  }

  List<Step> steps() {
    for (int i = 0; i < drafts.size(); i++) {
      StepDraft draft = drafts.get(i);
      checkNames(draft);
      checkGroup(i);
      waits.put(draft.name(), waits(i));
    }
    Dag.of(waits).cycle().ifPresent(this::report);
    return drafts.stream().map(this::complete).toList();
  }

  private Step complete(StepDraft draft) {
    return draft.step().waitingFor(List.copyOf(waits.getOrDefault(draft.name(), Set.of())));
  }

  private Set<String> waits(int index) {
    StepDraft draft = drafts.get(index);
    Set<String> found = new LinkedHashSet<>();
    if (draft.dependsOn().isEmpty()) {
      found.addAll(names.subList(0, groupStart(index)));
    } else {
      draft.dependsOn().get().stream().filter(names::contains).forEach(found::add);
    }
    found.addAll(draft.mentioned());
    // Waiting for itself was reported where it was written.
    found.remove(draft.name());
    return found;
  }

  /** The first of the neighbours that start together with this step. */
  private int groupStart(int index) {
    Optional<String> group = drafts.get(index).group();
    int start = index;
    while (start > 0 && group.isPresent() && drafts.get(start - 1).group().equals(group)) {
      start--;
    }
    return start;
  }

  private void checkNames(StepDraft draft) {
    for (String name : draft.dependsOn().orElse(List.of())) {
      if (name.equals(draft.name())) {
        draft.section().error("dependsOn", "cycle", "the step depends on itself", null);
      } else if (!names.contains(name)) {
        draft
            .section()
            .error(
                "dependsOn",
                "unknown-step",
                "there is no step '" + name + "'",
                Nearest.hintOrList(name, names));
      }
    }
  }

  private void checkGroup(int index) {
    StepDraft draft = drafts.get(index);
    if (draft.group().isEmpty() || draft.dependsOn().isPresent()) {
      return;
    }
    int end = index + 1;
    while (end < drafts.size() && drafts.get(end).group().equals(draft.group())) {
      end++;
    }
    for (String other : names.subList(groupStart(index), end)) {
      if (draft.mentioned().contains(other)) {
        draft
            .section()
            .error(
                "parallel-reference",
                "uses step '" + other + "', which starts at the same time",
                "Give it another parallelGroup, or write dependsOn: [" + other + "].");
        draft.mentioned().remove(other);
      }
    }
  }

  private void report(List<String> loop) {
    StepDraft first = drafts.get(names.indexOf(loop.getFirst()));
    first
        .section()
        .error(
            "cycle",
            "steps wait for each other: " + String.join(" -> ", loop),
            "A step waits for all earlier ones unless it says dependsOn.");
  }
}
