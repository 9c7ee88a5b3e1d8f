package dev.slipway.server;

import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.ClusterSettings;
import dev.slipway.engine.resolve.Grants;
import dev.slipway.engine.resolve.ProviderSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The providers that come with Slipway. Some need a cluster: without one they are not there at all,
 * so that the types they claim stay as they are.
 *
 * @param home their directory
 * @param cluster the embedded cluster, when this server has one
 */
record BundledProviders(Optional<Path> home, Optional<EmbeddedCluster> cluster) {
  private static final Logger LOG = LoggerFactory.getLogger(BundledProviders.class);

  /** Those that work in the cluster for workloads. */
  private static final Set<String> OF_CLUSTER = Set.of("workload", "volume-claim");

  /** Before those that need no cluster: a new volume is a claim where containers can mount it. */
  private static final int OF_CLUSTER_FIRST = ProviderSource.BUNDLED + 100;

  /** Their sources, with what each is granted. */
  List<ProviderSource> sources(AdminConfig config) {
    if (home.filter(Files::isDirectory).isEmpty()) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(home.get())) {
      return children
          .filter(Files::isDirectory)
          .sorted()
          .flatMap(directory -> source(directory, config).stream())
          .toList();
    } catch (IOException e) {
      LOG.warn("bundled providers cannot be read from {}: {}", home.get(), e.getMessage());
      return List.of();
    }
  }

  private Optional<ProviderSource> source(Path directory, AdminConfig config) {
    String name = directory.getFileName().toString();
    if (OF_CLUSTER.contains(name)) {
      return workloads(config)
          .map(
              to ->
                  ProviderSource.directory(directory, OF_CLUSTER_FIRST)
                      .with(Grants.NONE.withClusters(List.of(to), List.of())));
    }
    ProviderSource source = ProviderSource.directory(directory, ProviderSource.BUNDLED);
    return Optional.of(
        name.equals("postgres")
            ? source.with(Grants.NONE.withConnections(AdminConfig.WORKLOADS))
            : source);
  }

  /** The cluster for workloads: the configured one, else the embedded one. */
  private Optional<String> workloads(AdminConfig config) {
    Optional<String> embedded = cluster.map(_ -> ClusterSettings.EMBEDDED);
    return config
        .workloadCluster()
        .filter(name -> config.clusters().containsKey(name) || embedded.isPresent())
        .or(() -> embedded);
  }
}
