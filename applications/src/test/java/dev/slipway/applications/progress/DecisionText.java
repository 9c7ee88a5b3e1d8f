package dev.slipway.applications.progress;

import dev.slipway.applications.plan.GateRecord;
import dev.slipway.applications.plan.ParamWords;
import dev.slipway.applications.plan.ResourceWords;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Decisions as the tables of cases write them. */
final class DecisionText {
  private DecisionText() {}

  /** {@code stuck in failed (NoProvider)}. */
  static String of(ResourceVerdict verdict) {
    String state = word(verdict.kind()) + " in " + verdict.state().text();
    return verdict.problem().map(reason -> state + " (" + reason.code() + ")").orElse(state);
  }

  /** Moves of one resource, which is not named: {@code active->updating by intake, update(2)}. */
  static String moves(List<Move> moves) {
    return moves.stream().map(DecisionText::of).collect(Collectors.joining(", "));
  }

  /** Moves of several resources: {@code db create(1), net drop}. */
  static String named(List<Move> moves) {
    return moves.stream().map(m -> subject(m) + " " + of(m)).collect(Collectors.joining(", "));
  }

  /** {@code running: active}: the deployment and the application. */
  static String outcome(Decision decision) {
    String deployment = decision.deployment() == null ? "none" : word(decision.deployment());
    return deployment + ": " + decision.state().text();
  }

  /** {@code db (NoProvider)}. */
  static String problems(Decision decision) {
    return decision.problems().stream()
        .map(problem -> problem.subject() + " (" + problem.reason().code() + ")")
        .collect(Collectors.joining(", "));
  }

  private static String of(Move move) {
    return switch (move) {
      case Move.Transit transit -> transit(transit);
      case Move.Revive _ -> "revive";
      case Move.Start start ->
          start.operation().text() + "(" + ParamWords.write(start.params()) + ")";
      case Move.Look _ -> "look";
      case Move.Judged(var _, GateRecord gate) -> "gate " + gate.stage().text();
      case Move.Drop _ -> "drop";
      case Move.Cancel _ -> "cancel";
      case Move.Forget _ -> "forget";
      case Move.Complain(var _, Reason reason) ->
          reason == null ? "clear" : "complain " + reason.code();
      case Move.Bind _ -> "bind";
    };
  }

  private static String transit(Move.Transit move) {
    String to = move.from().text() + "->" + move.to().text() + " by " + word(move.actor());
    return move.reason() == null ? to : to + " " + move.reason().code();
  }

  private static String subject(Move move) {
    return switch (move) {
      case Move.Transit transit -> ResourceWords.name(transit.resource());
      case Move.Revive(var id) -> ResourceWords.name(id);
      case Move.Start start -> start.resource().name();
      case Move.Look look -> look.resource().name();
      case Move.Judged(var id, var _) -> ResourceWords.name(id);
      case Move.Drop(var id, var _) -> ResourceWords.name(id);
      case Move.Cancel(var id, var _) -> ResourceWords.name(id);
      case Move.Forget(var id) -> ResourceWords.name(id);
      case Move.Complain(var id, var _) -> ResourceWords.name(id);
      case Move.Bind _ -> "workload";
    };
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
