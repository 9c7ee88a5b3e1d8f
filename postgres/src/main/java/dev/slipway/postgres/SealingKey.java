package dev.slipway.postgres;

import java.util.Optional;
import org.jdbi.v3.core.Jdbi;

/** Remembers by which key the secrets of this database are sealed: its fingerprint. */
public final class SealingKey {
  private final Jdbi jdbi;

  public SealingKey(Database database) {
    this.jdbi = database.jdbi();
  }

  /** The fingerprint of the key in use; empty before the first server has started. */
  public Optional<String> fingerprint() {
    return jdbi.withHandle(
        h -> h.createQuery("SELECT fingerprint FROM sealing_key").mapTo(String.class).findOne());
  }

  /** Makes this the key unless there is one; answers the one that counts. */
  public String settle(String fingerprint) {
    jdbi.useHandle(
        h ->
            h.execute(
                "INSERT INTO sealing_key (fingerprint) VALUES (?) ON CONFLICT DO NOTHING",
                fingerprint));
    return fingerprint().orElseThrow();
  }
}
