package dev.slipway.server;

import dev.slipway.engine.threads.Supervision;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseClock;
import dev.slipway.postgres.Resealing;
import dev.slipway.postgres.SealingKey;
import dev.slipway.server.telemetry.Metrics;
import java.security.SecureRandom;

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
}
