package dev.slipway.bench;

import dev.slipway.engine.resolve.ClusterSettings;
import dev.slipway.engine.resolve.ClusterSettings.Access;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.controlplane.ControlPlane;
import dev.slipway.kubernetes.controlplane.ControlPlane.Durability;
import dev.slipway.kubernetes.controlplane.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A control plane of the benchmark's own, in a temporary directory. */
final class BenchCluster implements AutoCloseable {
  private static final Pattern COUNT =
      Pattern.compile("(?m)^apiserver_request_total\\{[^}]*\\} ([0-9.e+]+)$");

  private final Path directory;
  private final ControlPlane plane;

  BenchCluster() throws IOException {
    directory = Files.createTempDirectory("slipway-bench-cluster");
    plane =
        ControlPlane.start(
            new ControlPlane.Setup(
                directory,
                Programs.find(System.err::println),
                Durability.TEMPORARY,
                (name, work) -> Thread.ofVirtual().name(name).start(work)),
            System.err::println);
  }

  ControlPlane plane() {
    return plane;
  }

  /** A client of Slipway for it. */
  Cluster client() {
    return new Cluster(
        "bench",
        new ClusterSettings(
            new Access.Kubeconfig(plane.administrator().text(), Optional.empty()),
            Optional.empty(),
            List.of("*"),
            Map.of()),
        InstantSource.system());
  }

  /** How many requests the API server has answered; a watch counts when it ends. */
  static long requests(BareApply administrator) throws Exception {
    return COUNT
        .matcher(administrator.get("/metrics"))
        .results()
        .mapToLong(line -> (long) Double.parseDouble(line.group(1)))
        .sum();
  }

  @Override
  public void close() throws IOException {
    plane.close();
    List<Path> files = new ArrayList<>();
    try (var all = Files.walk(directory)) {
      all.forEach(files::add);
    }
    for (Path file : files.reversed()) {
      Files.deleteIfExists(file);
    }
  }
}
