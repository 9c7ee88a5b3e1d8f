package dev.slipway.postgres.reconcile;

import java.sql.SQLException;
import org.jdbi.v3.core.Handle;

/** Brings the keys of one kind closer to what is asked for. */
public interface Reconciler {
  /** As in {@code signals.kind}. */
  String kind();

  /** How many keys one replica reconciles at the same time. */
  int width();

  /**
   * One turn of a key, inside a transaction that holds the key's lock. Reads and writes the
   * database only, is idempotent, and may be called before anything is due.
   */
  Next reconcile(Handle tx, String key, Wake wake) throws SQLException;
}
