package dev.slipway.kubernetes.cel;

import dev.cel.common.ast.CelExpr;
import dev.cel.runtime.CelEvaluationListener;
import java.time.Duration;
import java.util.Collection;

/** Counts the parts of an expression that are evaluated, and looks at how large results are. */
final class CelBudget implements CelEvaluationListener {
  private static final long MOST_COST = 1_000_000;
  private static final int LONGEST_TEXT = 1 << 20;
  private static final int LONGEST_LIST = 100_000;

  /** The usual limit of time; the limit of cost is reached before. */
  static final Duration LONGEST = Duration.ofSeconds(1);

  private final long started = System.nanoTime();
  private final Duration time;
  private long cost;

  CelBudget(Duration time) {
    this.time = time;
  }

  /** Ends an evaluation. */
  static final class Exceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Exceeded(String message) {
      super(message, null, false, false);
    }
  }

  @Override
  public void callback(CelExpr expression, Object result) {
    cost++;
    switch (result) {
      case String text -> weigh(text.length(), LONGEST_TEXT, "a text");
      case Collection<?> list -> weigh(list.size(), LONGEST_LIST, "a list");
      case null, default -> {}
    }
    if (cost > MOST_COST) {
      throw new Exceeded("the condition costs more than " + MOST_COST);
    }
    if (System.nanoTime() - started > time.toNanos()) {
      throw new Exceeded("the condition takes longer than " + time.toMillis() + " ms");
    }
  }

  private void weigh(int size, int most, String what) {
    cost += size / 64;
    if (size > most) {
      throw new Exceeded("the condition makes " + what + " of more than " + most);
    }
  }
}
