package dev.slipway.engine.execute;

import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.resolve.ProviderRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Everything about one run that the parts of its worker share. Belongs to the worker's thread. */
final class RunFolder {
  final Workshop shop;
  final ClaimedRun run;
  final Definitions.Parsed definition;
  final ProviderRules rules;
  final SecretOutputs secretOutputs;
  final RunLedger ledger;
  final RunValues values;
  final RunEvents events;

  /** Whether the run is to be stopped. */
  Optional<RunStore.Cancel> cancel;

  /** How undoing goes; empty until it has begun. */
  Optional<RunWrite.Rollback> rollback;

  /** How many signals have been heeded. */
  int signals;

  RunFolder(Workshop shop, ClaimedRun run, Definitions.Parsed definition) {
    this.shop = shop;
    this.run = run;
    this.definition = definition;
    this.ledger = new RunLedger(run);
    this.secretOutputs = SecretOutputs.of(definition.workflow());
    this.rules = rulesOfNow();
    this.values = new RunValues(shop.box(), run, definition, shop.rendering(), rules.secrets());
    this.events = new RunEvents(run, definition.snapshot());
    this.cancel = run.cancel();
    this.rollback = run.rollback();
    this.signals = run.signals();
  }

  /** The rules in force now; what is called has no more than those that call it. */
  ProviderRules rulesOfNow() {
    ProviderRules own = shop.rules().apply(definition.snapshot().provider());
    return own.calledBy(ChildRuns.callers(run).stream().map(shop.rules()).toList());
  }

  Progress progress() {
    NewRun.Undoing undoing = run.inputs().undoing();
    return undoing == null
        ? new Forward(definition.workflow(), ledger.byName(), cancel, rollback)
        : new Backward(definition.workflow(), undoing.order(), ledger.byName(), cancel);
  }

  Progress.Task task(String name) {
    return progress().task(name).orElseThrow();
  }

  Instant now() {
    return shop.clock().instant();
  }

  /** The steps in that state, as they are now. */
  List<StepRecord> in(StepState state) {
    return ledger.records().stream().filter(r -> r.state() == state).toList();
  }
}
