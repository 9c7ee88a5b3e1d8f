package dev.slipway.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.config.JdbiConfig;
import org.jdbi.v3.core.transaction.DelegatingTransactionHandler;
import org.jdbi.v3.core.transaction.LocalTransactionHandler;
import org.jdbi.v3.core.transaction.TransactionException;
import org.jdbi.v3.core.transaction.TransactionHandler;

/**
 * What a transaction says last: it goes to the database in one message with the commit. A lock that
 * all need is asked for there. Whoever freezes before has not asked for it, and whoever freezes
 * afterwards has said everything: nobody waits for one who is silent.
 */
public final class LastWords {
  private LastWords() {}

  /** Statements, separated by semicolons, and the values of their parameters. */
  public interface Words {
    String sql();

    /** Sets them from that one on; answers the number of the next. */
    int bind(Connection connection, PreparedStatement statement, int first) throws SQLException;
  }

  /** Keeps them for the end of the handle's transaction. */
  public static void add(Handle handle, Words words) {
    if (!handle.isInTransaction()) {
      throw new IllegalStateException("there is no transaction that could end with it");
    }
    handle.getConfig(Pending.class).words.add(words);
  }

  /** Ends the connection's transaction with them. */
  public static void commit(Connection connection, List<? extends Words> words)
      throws SQLException {
    if (!words.isEmpty()) {
      String sql =
          words.stream().map(Words::sql).collect(Collectors.joining(";\n", "", ";\nCOMMIT"));
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        int next = 1;
        for (Words some : words) {
          next = some.bind(connection, statement, next);
        }
        statement.execute();
      }
    }
    connection.commit(); // the driver knows when there is nothing left to say
  }

  /** Commits transactions of handles with what was kept for their end. */
  static TransactionHandler transactions() {
    return new AtTheEnd(LocalTransactionHandler.binding());
  }

  /** Of one handle: what it will say. Public because handles make it themselves. */
  public static final class Pending implements JdbiConfig<Pending> {
    private final List<Words> words = new ArrayList<>();

    /** How many there were at each. */
    private final Map<String, Integer> savepoints = new HashMap<>();

    @Override
    public Pending createCopy() {
      return new Pending();
    }
  }

  private static final class AtTheEnd extends DelegatingTransactionHandler {
    AtTheEnd(TransactionHandler delegate) {
      super(delegate);
    }

    @Override
    public TransactionHandler specialize(Handle handle) throws SQLException {
      return new AtTheEnd(getDelegate().specialize(handle));
    }

    @Override
    public void commit(Handle handle) {
      List<Words> words = handle.getConfig(Pending.class).words;
      try {
        LastWords.commit(handle.getConnection(), words);
      } catch (SQLException e) {
        throw new TransactionException("Failed to commit transaction", e);
      } finally {
        words.clear();
      }
      super.commit(handle); // nothing is left to commit: the handle becomes what it was before
    }

    @Override
    public void rollback(Handle handle) {
      handle.getConfig(Pending.class).words.clear();
      super.rollback(handle);
    }

    @Override
    public void savepoint(Handle handle, String name) {
      super.savepoint(handle, name);
      Pending pending = handle.getConfig(Pending.class);
      pending.savepoints.put(name, pending.words.size());
    }

    /** What was kept since then is not said. */
    @Override
    public void rollbackToSavepoint(Handle handle, String name) {
      super.rollbackToSavepoint(handle, name);
      Pending pending = handle.getConfig(Pending.class);
      pending.words.subList(pending.savepoints.get(name), pending.words.size()).clear();
    }
  }
}
