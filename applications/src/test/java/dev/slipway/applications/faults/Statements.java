package dev.slipway.applications.faults;

import dev.slipway.applications.store.ApplicationReconciler;
import dev.slipway.applications.store.ApplicationStore;
import dev.slipway.postgres.access.Approvals;
import dev.slipway.postgres.access.RepeatedRequests;
import dev.slipway.postgres.reconcile.ReconcileLoop;
import dev.slipway.postgres.runs.PostgresApprovalDesk;
import dev.slipway.postgres.runs.PostgresRuns;
import java.sql.SQLException;
import java.util.Set;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Single statements of the stores that fail, reads too, also in the middle of a transaction: before
 * the database has received them, or after it has carried them out.
 */
final class Statements implements SqlLogger {
  /** Whose statements fail. */
  static final Set<Class<?>> STORES =
      Set.of(
          Approvals.class,
          RepeatedRequests.class,
          ApplicationReconciler.class,
          ReconcileLoop.class,
          ApplicationStore.class,
          PostgresApprovalDesk.class,
          PostgresRuns.class);

  private static final String FAULT = "fault";
  private static final StackWalker STACK =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private final SeededFaults faults;

  Statements(SeededFaults faults) {
    this.faults = faults;
  }

  /** As it is called among the faults. */
  static String of(Class<?> store) {
    return "a statement of " + store.getSimpleName();
  }

  @Override
  public void logBeforeExecution(StatementContext context) {
    SeededFaults.Fault fault =
        STACK
            .walk(
                frames ->
                    frames
                        .<Class<?>>map(StackWalker.StackFrame::getDeclaringClass)
                        .filter(STORES::contains)
                        .findFirst())
            .map(store -> faults.ofStatement(of(store)))
            .orElse(SeededFaults.Fault.NONE);
    context.define(FAULT, fault);
    if (fault == SeededFaults.Fault.BEFORE) {
      throw lost();
    }
  }

  @Override
  public void logAfterExecution(StatementContext context) {
    if (context.getAttribute(FAULT) == SeededFaults.Fault.AFTER) {
      throw lost();
    }
  }

  private static RuntimeException lost() {
    return Statements.<RuntimeException>unchecked(
        new SQLException("the connection died on purpose", "08006"));
  }

  /** What a driver throws, through a method that does not say so. */
  @SuppressWarnings("unchecked")
  private static <X extends Exception> X unchecked(Exception e) throws X {
    throw (X) e;
  }
}
