package dev.slipway.server;

import dev.slipway.engine.threads.Supervision;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseClock;
import dev.slipway.postgres.Resealing;
import dev.slipway.postgres.SealingKey;
import dev.slipway.postgres.access.Accounts;
import dev.slipway.postgres.access.Credentials;
import dev.slipway.postgres.access.TeamStore;
import dev.slipway.postgres.environments.Occupant;
import dev.slipway.server.api.Passwords;
import dev.slipway.server.telemetry.Metrics;
import dev.slipway.web.access.Tokens;
import java.security.SecureRandom;
import java.util.List;

/** What every stage uses: time, ids, threads, keys, numbers. */
record Foundation(
    Database database,
    DataDirectory data,
    Supervision supervision,
    Threads threads,
    DatabaseClock clock,
    SecureRandom random,
    Ids ids,
    SealingKey sealingKey,
    SecretBox box,
    KeyWatch keyWatch,
    Metrics metrics) {

  static Foundation of(Wiring.Given given, Supervision supervision) {
    Database database = given.database();
    DataDirectory data = given.data();
    Threads threads = Threads.supervised(supervision);
    DatabaseClock clock = new DatabaseClock(database, threads);
    SecureRandom random = new SecureRandom();
    SealingKey sealingKey = new SealingKey(database, given.branches().sealedColumns());
    SecretBox box = KeyCheck.box(data, sealingKey);
    return new Foundation(
        database,
        data,
        supervision,
        threads,
        clock,
        random,
        new Ids(clock, random),
        sealingKey,
        box,
        new KeyWatch(
            data,
            box,
            sealingKey,
            new Resealing(database.jdbi(), box, given.branches().sealedColumns()),
            threads),
        new Metrics(Version.TEXT, System.getProperty("java.version")));
  }

  /** Accounts and what proves them; the first administrator among them. */
  record Access(
      Accounts accounts,
      TeamStore teams,
      Credentials credentials,
      Passwords passwords,
      Tokens tokens) {
    static Access of(Foundation foundation, List<Occupant> occupants) {
      Database database = foundation.database();
      Access access =
          new Access(
              new Accounts(database.jdbi()),
              new TeamStore(
                  database.jdbi(), occupants.stream().<TeamStore.Owned>map(o -> o::owns).toList()),
              new Credentials(database.jdbi()),
              new Passwords(foundation.random()),
              new Tokens(foundation.random()));
      DataDirectory data = foundation.data();
      new AdminAccount(access.accounts(), access.teams(), access.credentials(), foundation.ids())
          .ensure(data.adminToken(access.tokens()), data.replica(), foundation.clock().instant());
      return access;
    }
  }
}
