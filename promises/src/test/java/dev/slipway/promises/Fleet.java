package dev.slipway.promises;

import static org.awaitility.Awaitility.await;

import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Three replicas on one database, each with a way of its own to it, at their default settings. */
final class Fleet implements AutoCloseable {
  static final int SIZE = 3;

  /** A replica, the way it reaches the database, and whether it can be asked now. */
  static final class Ship {
    final String name;
    final Replica replica;
    final PostgresProxy proxy;
    volatile boolean afloat = true;

    Ship(String name, Replica replica, PostgresProxy proxy) {
      this.name = name;
      this.replica = replica;
      this.proxy = proxy;
    }

    /** The name under which it owns runs. */
    String owner() throws IOException {
      return Files.readString(replica.data().resolve("replica")).strip();
    }
  }

  private final List<Ship> ships = new ArrayList<>();
  private volatile Instant changed;

  Fleet(Path directory, TestDatabase database, Launches launches) throws IOException {
    Path config = provider(directory, launches);
    String key = Base64.getEncoder().encodeToString(new byte[32]) + "\n";
    for (int i = 0; i < SIZE; i++) {
      String name = "replica-" + (char) ('a' + i);
      PostgresProxy proxy = PostgresProxy.of(database);
      Replica replica = new Replica(directory.resolve(name), config, proxy.through(database));
      Files.createDirectories(replica.data());
      Path file = replica.data().resolve("secret.key");
      Files.writeString(file, key);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      ships.add(new Ship(name, replica, proxy));
    }
    ships.getFirst().replica.start();
    CompletableFuture.allOf(
            ships.stream()
                .skip(1)
                .map(s -> CompletableFuture.runAsync(s.replica::start))
                .toArray(CompletableFuture[]::new))
        .join();
    changed();
  }

  /** A replica came back just now. */
  void changed() {
    changed = Instant.now();
  }

  /** Waits until each knows of the others: they count each other every five seconds. */
  void awaitAcquainted() {
    Instant acquainted = changed.plusSeconds(6);
    await().atMost(Duration.ofSeconds(30)).until(() -> Instant.now().isAfter(acquainted));
  }

  private static Path provider(Path directory, Launches launches) throws IOException {
    Path provider = Files.createDirectories(directory.resolve("cargo"));
    Files.writeString(
        provider.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: cargo, version: 1.0.0}
        capabilities:
          resourceTypeCapabilities:
            - {type: crate, operations: {create: {workflow: load}, delete: {workflow: load}}}
        workflows:
          - {name: load, file: load.yaml}
        """);
    Files.writeString(
        provider.resolve("load.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: load}
        steps:
          - {name: first, type: http, config: {method: POST, url: '%1$s/{{ .parameters.app_name }}/first'}}
          - name: script
            type: shell
            config:
              env: {WITNESS: '%2$s'}
              script: |
        %3$s
          - {name: last, type: http, config: {method: POST, url: '%1$s/{{ .parameters.app_name }}/last'}}
        """
            .formatted(
                launches.url(), launches.files(), Launches.SCRIPT.indent(8).stripTrailing()));
    Path config = directory.resolve("admin-config.yaml");
    Files.writeString(
        config,
        "providers:\n  - {source: filesystem, path: ./cargo, grants: {hosts: [127.0.0.1]}}\n");
    return config;
  }

  List<Ship> ships() {
    return ships;
  }

  /** Those that can be asked. */
  List<Ship> afloat() {
    return ships.stream().filter(s -> s.afloat).toList();
  }

  @Override
  public void close() {
    for (Ship ship : ships) {
      ship.proxy.close();
      ship.replica.close();
    }
  }
}
