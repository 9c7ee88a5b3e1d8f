package dev.slipway.engine.graph;

import java.util.Optional;

/** Nodes of events about runs, approvals, providers and environments. */
public final class TrunkEventNodes implements EventNodes {
  @Override
  public Optional<NodeRef> root(Event event) {
    return Optional.ofNullable(event.root()).or(() -> ofRun(event)).or(() -> node(event));
  }

  /** Of a run that other runs made, the one at the top of them. */
  private static Optional<NodeRef> ofRun(Event event) {
    return text(event, "rootRunId")
        .or(() -> text(event, "kind").flatMap(_ -> text(event, "parentRunId")))
        .filter(_ -> aboutRuns(event))
        .map(TrunkKinds.RUN::ref);
  }

  @Override
  public Optional<NodeRef> node(Event event) {
    return switch (family(event)) {
      case "workflow", "step" -> text(event, "runId").map(TrunkKinds.RUN::ref);
      case "approval" ->
          text(event, "runId").map(TrunkKinds.RUN::ref).or(() -> Optional.ofNullable(event.root()));
      case "provider" ->
          text(event, "provider")
              .map(TrunkKinds.PROVIDER::ref)
              .or(() -> text(event, "type").map(TrunkKinds.RESOURCE_TYPE::ref));
      case "environment" -> text(event, "environment").map(TrunkKinds.ENVIRONMENT::ref);
      default -> Optional.empty();
    };
  }

  private static boolean aboutRuns(Event event) {
    return switch (family(event)) {
      case "workflow", "step", "approval" -> true;
      default -> false;
    };
  }

  private static String family(Event event) {
    int dot = event.type().indexOf('.');
    return dot < 0 ? event.type() : event.type().substring(0, dot);
  }

  private static Optional<String> text(Event event, String field) {
    return event.data().get(field) instanceof String text && !text.isEmpty()
        ? Optional.of(text)
        : Optional.empty();
  }
}
