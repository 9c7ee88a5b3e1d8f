package dev.slipway.testbed;

import dev.slipway.kubernetes.controlplane.ControlPlane;
import dev.slipway.kubernetes.controlplane.ControlPlane.Durability;
import dev.slipway.kubernetes.controlplane.Kubeconfig;
import dev.slipway.kubernetes.controlplane.Programs;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real Kubernetes control plane, one per test JVM, started at first use and ended with the JVM,
 * also after a crash. Tests share it, each in a namespace of its own. A test that stops parts of it
 * starts one for itself ({@link #separate}).
 */
public final class TestControlPlane {
  private static final AtomicInteger NAMESPACES = new AtomicInteger();

  /** Deletes the directory when its standard input closes, that is when this JVM has ended. */
  private static final String LEASH =
      "trap '' HUP INT TERM; read -r _; i=0;"
          + " while [ -e \"$1\" ] && [ $i -lt 50 ]; do rm -rf \"$1\"; sleep 0.2; i=$((i+1)); done";

  private TestControlPlane() {}

  /** Started by the first caller; later callers wait for it. */
  private static final class Shared {
    static final ControlPlane PLANE = separate();
    static final KubernetesClient CLIENT = client(PLANE.administrator());
  }

  /** The shared one. */
  public static ControlPlane shared() {
    return Shared.PLANE;
  }

  /** The kubeconfig file of its administrator. */
  public static Path kubeconfig() {
    return shared().kubeconfig();
  }

  /** The shared client of its administrator: not to be closed. */
  public static KubernetesClient client() {
    return Shared.CLIENT;
  }

  /** A client of that user. */
  public static KubernetesClient client(Kubeconfig user) {
    return new KubernetesClientBuilder().withConfig(config(user)).build();
  }

  /** The configuration of such a client. */
  public static Config config(Kubeconfig user) {
    return Config.fromKubeconfig(user.text());
  }

  /** A namespace that no other test uses. */
  public static TestNamespace freshNamespace() {
    String name = "test-" + NAMESPACES.incrementAndGet();
    client()
        .namespaces()
        .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
        .create();
    return new TestNamespace(name);
  }

  /** One for the caller alone, with an empty directory; it ends with the JVM at the latest. */
  public static ControlPlane separate() {
    try {
      Path directory = Files.createTempDirectory("slipway-controlplane");
      new ProcessBuilder("/bin/sh", "-c", LEASH, "leash", directory.toString())
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      return ControlPlane.start(
          new ControlPlane.Setup(
              directory,
              Programs.find(System.out::println),
              Durability.TEMPORARY,
              (name, work) -> Thread.ofVirtual().name(name).start(work)),
          line -> {});
    } catch (IOException e) {
      throw new UncheckedIOException("no directory for the test control plane", e);
    }
  }
}
