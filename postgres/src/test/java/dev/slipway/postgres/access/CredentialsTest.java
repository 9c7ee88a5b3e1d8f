package dev.slipway.postgres.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import java.time.Instant;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;

class CredentialsTest {
  private static final byte[] HASH = {1, 2, 3};
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void a_key_opens_a_database_that_takes_no_writes() {
    try (Database database = MigratedDatabase.open()) {
      database
          .jdbi()
          .useHandle(
              h -> h.execute("INSERT INTO users (name, created_at) VALUES ('dora', ?)", NOW));
      new Credentials(database.jdbi())
          .addApiKey(
              new Credentials.ApiKey(UUID.randomUUID(), "dora", "laptop", NOW, null, null, null),
              HASH);
      Jdbi standby =
          Jdbi.create(
              database.address().jdbcUrl() + "?options=-c%20default_transaction_read_only=on",
              database.address().user(),
              database.address().password());
      assertThat(new Credentials(standby).apiKeyOwner(HASH, NOW))
          .hasValueSatisfying(owner -> assertThat(owner.account().name()).isEqualTo("dora"));
    }
  }
}
