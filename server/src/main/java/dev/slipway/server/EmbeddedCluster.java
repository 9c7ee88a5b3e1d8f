package dev.slipway.server;

import dev.slipway.engine.resolve.ClusterSettings;
import dev.slipway.engine.threads.Threads;
import dev.slipway.kubernetes.controlplane.ControlPlane;
import dev.slipway.kubernetes.controlplane.ControlPlane.Durability;
import dev.slipway.kubernetes.controlplane.Program;
import dev.slipway.kubernetes.controlplane.Programs;
import dev.slipway.programs.ProgramException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Kubernetes control plane of {@code slipway up --cluster embedded}. Its data is below the data
 * directory, so that objects, logins and address are the same after a restart.
 */
final class EmbeddedCluster implements AutoCloseable {
  /** Its name among the clusters of the configuration. */
  static final String NAME = ClusterSettings.EMBEDDED;

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedCluster.class);

  private final ControlPlane plane;

  private EmbeddedCluster(ControlPlane plane) {
    this.plane = plane;
  }

  /** Starts it; returns when it accepts work. */
  static EmbeddedCluster start(DataDirectory data, Threads threads) {
    Path directory = data.resolve("cluster");
    try {
      Programs programs = Programs.find(LOG::info);
      LOG.info("the programs of the embedded control plane come from {}", programs.origin());
      ControlPlane plane =
          ControlPlane.start(
              new ControlPlane.Setup(directory, programs, Durability.KEPT, threads::start),
              LOG::info);
      link(programs.file(Program.KUBECTL), directory.resolve("kubectl"));
      return new EmbeddedCluster(plane);
    } catch (ProgramException e) {
      throw StartFailure.surroundings(e.getMessage() + "\nOr start without --cluster embedded.", e);
    } catch (IOException e) {
      throw StartFailure.file(directory, e);
    }
  }

  /** Says that a cluster of an earlier start is not running. */
  static void mention(DataDirectory data) {
    if (Files.isDirectory(data.resolve("cluster"))) {
      LOG.info(
          "the data directory has an embedded cluster, which is not started; start it with"
              + " --cluster embedded");
    }
  }

  /** For 'slipway kubectl', which finds the program beside the kubeconfig. */
  private static void link(Path program, Path link) throws IOException {
    Path fresh = link.resolveSibling(".kubectl");
    Files.deleteIfExists(fresh);
    Files.createSymbolicLink(fresh, program.toAbsolutePath());
    if (Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
      Files.delete(link);
    }
    Files.move(fresh, link, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The kubeconfig of its administrator. */
  Path kubeconfig() {
    return plane.kubeconfig();
  }

  /** Its entry among the clusters: every team has the namespaces that begin with its name. */
  ClusterSettings settings() {
    return new ClusterSettings(
        new ClusterSettings.Access.Kubeconfig(plane.administrator().text(), Optional.empty()),
        Optional.empty(),
        List.of("{team}-*"),
        Map.of());
  }

  /** How to use it, for people. */
  List<String> hints() {
    return List.of(
        "cluster %s at %s, programs from %s"
            .formatted(NAME, plane.administrator().server(), plane.programs().origin()),
        "kubectl KUBECONFIG=%s %s get nodes"
            .formatted(kubeconfig(), kubeconfig().resolveSibling("kubectl")));
  }

  @Override
  public void close() {
    plane.close();
  }
}
