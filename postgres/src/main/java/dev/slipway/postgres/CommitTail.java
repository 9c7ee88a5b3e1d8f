package dev.slipway.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.config.JdbiConfig;
import org.jdbi.v3.core.transaction.DelegatingTransactionHandler;
import org.jdbi.v3.core.transaction.LocalTransactionHandler;
import org.jdbi.v3.core.transaction.TransactionException;
import org.jdbi.v3.core.transaction.TransactionHandler;

/**
 * The end of a transaction: statements that are sent in the same protocol message as COMMIT, and
 * announcements that leave after it. A replica that freezes before that message has not executed
 * the statements, and one that freezes after it has committed; both matter for events, whose ids
 * readers wait for as long as their transaction is open.
 */
public final class CommitTail {
  private CommitTail() {}

  /** Statements, separated by semicolons, and the values of their parameters. */
  public interface Statements {
    String sql();

    /** Binds the parameters from number {@code first} on and returns the next free number. */
    int bind(Connection connection, PreparedStatement statement, int first) throws SQLException;
  }

  /** Keeps the statements for the end of the handle's transaction. */
  public static void add(Handle handle, Statements statements) {
    pending(handle).statements.add(statements);
  }

  /** Announces the message to all replicas once the handle's transaction has been committed. */
  public static void announce(Handle handle, String message) {
    pending(handle).announcements.add(message);
  }

  private static Pending pending(Handle handle) {
    if (!handle.isInTransaction()) {
      throw new IllegalStateException("there is no transaction that could end with it");
    }
    return handle.getConfig(Pending.class);
  }

  /** Ends the connection's transaction with the statements. */
  public static void commit(Connection connection, List<? extends Statements> tail)
      throws SQLException {
    if (!tail.isEmpty()) {
      String sql =
          tail.stream().map(Statements::sql).collect(Collectors.joining(";\n", "", ";\nCOMMIT"));
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        int next = 1;
        for (Statements some : tail) {
          next = some.bind(connection, statement, next);
        }
        statement.execute();
      }
    }
    connection.commit(); // the driver sends nothing when the transaction has ended already
  }

  /** Commits transactions of handles with what was kept for their end. */
  static TransactionHandler transactions(Consumer<Set<String>> announcer) {
    return new WithTail(LocalTransactionHandler.binding(), announcer);
  }

  /** Of one handle: its tail so far. Public because Jdbi instantiates it. */
  public static final class Pending implements JdbiConfig<Pending> {
    private final List<Statements> statements = new ArrayList<>();
    private final List<String> announcements = new ArrayList<>();
    private final Map<String, Savepoint> savepoints = new HashMap<>();

    private record Savepoint(int statements, int announcements) {}

    @Override
    public Pending createCopy() {
      return new Pending();
    }

    private void clear() {
      statements.clear();
      announcements.clear();
    }
  }

  private static final class WithTail extends DelegatingTransactionHandler {
    private final Consumer<Set<String>> announcer;

    WithTail(TransactionHandler delegate, Consumer<Set<String>> announcer) {
      super(delegate);
      this.announcer = announcer;
    }

    @Override
    public TransactionHandler specialize(Handle handle) throws SQLException {
      return new WithTail(getDelegate().specialize(handle), announcer);
    }

    @Override
    public void commit(Handle handle) {
      Pending pending = handle.getConfig(Pending.class);
      Set<String> announcements = new LinkedHashSet<>(pending.announcements);
      try {
        CommitTail.commit(handle.getConnection(), pending.statements);
      } catch (SQLException e) {
        throw new TransactionException("Failed to commit transaction", e);
      } finally {
        pending.clear();
      }
      super.commit(handle); // nothing is left to commit: the handle becomes what it was before
      if (!announcements.isEmpty()) {
        announcer.accept(announcements);
      }
    }

    @Override
    public void rollback(Handle handle) {
      handle.getConfig(Pending.class).clear();
      super.rollback(handle);
    }

    @Override
    public void savepoint(Handle handle, String name) {
      super.savepoint(handle, name);
      Pending pending = handle.getConfig(Pending.class);
      pending.savepoints.put(
          name, new Pending.Savepoint(pending.statements.size(), pending.announcements.size()));
    }

    /** Drops what was added since the savepoint. */
    @Override
    public void rollbackToSavepoint(Handle handle, String name) {
      super.rollbackToSavepoint(handle, name);
      Pending pending = handle.getConfig(Pending.class);
      Pending.Savepoint then =
          Objects.requireNonNull(
              pending.savepoints.get(name), "Jdbi refuses savepoints that were never set");
      truncate(pending.statements, then.statements());
      truncate(pending.announcements, then.announcements());
    }

    private static void truncate(List<?> list, int size) {
      list.subList(size, list.size()).clear();
    }
  }
}
