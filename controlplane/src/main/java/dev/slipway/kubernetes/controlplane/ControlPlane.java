package dev.slipway.kubernetes.controlplane;

import dev.slipway.programs.ProgramException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A control plane that runs: etcd, API server, controller manager, scheduler and KWOK as child
 * processes that end with this one. Everything of it is in one directory.
 */
public final class ControlPlane implements AutoCloseable {
  static final String SERVICE_ADDRESSES = "10.0.0.0/16";
  static final String FIRST_SERVICE_ADDRESS = "10.0.0.1";
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** Whether the data outlives the process. */
  public enum Durability {
    /** Written to the disk before a request is answered. */
    KEPT,
    /** Not flushed, for tests. */
    TEMPORARY
  }

  /** Starts a thread that works until its component is stopped. */
  public interface Threads {
    void start(String name, Runnable work);
  }

  /**
   * What a control plane is started with.
   *
   * @param directory where its data, keys and logs are
   * @param threads start the threads that watch the components
   */
  public record Setup(Path directory, Programs programs, Durability durability, Threads threads) {}

  private final Component etcd;
  private final Component apiServer;
  private final List<Component> clients;
  private final Kubeconfig administrator;
  private final Path kubeconfig;
  private final Programs programs;
  private final Ports ports;

  private ControlPlane(Setup setup, Commands commands, Kubeconfig administrator)
      throws IOException {
    this.programs = setup.programs();
    this.ports = commands.ports();
    this.administrator = administrator;
    this.kubeconfig = administrator.write(setup.directory().resolve("kubeconfig"));
    Path logs = Files.createDirectories(setup.directory().resolve("logs"));
    this.etcd = component(setup, logs, Program.ETCD, commands.etcd(setup.durability()));
    this.apiServer = component(setup, logs, Program.API_SERVER, commands.apiServer());
    this.clients =
        List.of(
            component(setup, logs, Program.CONTROLLER_MANAGER, commands.controllerManager()),
            component(setup, logs, Program.SCHEDULER, commands.scheduler()),
            component(setup, logs, Program.KWOK, commands.kwok()));
  }

  /**
   * Starts it and waits until it accepts work: the API server is ready and the node takes pods.
   *
   * @param progress receives a line for what takes time
   */
  public static ControlPlane start(Setup setup, Consumer<String> progress) {
    Path directory = setup.directory();
    try {
      Files.createDirectories(directory);
      Identities identities = Identities.in(directory.resolve("identities"));
      Ports ports = Ports.in(directory.resolve("ports"));
      String server = "https://127.0.0.1:" + ports.api();
      Commands commands = new Commands(setup.programs(), directory, identities, ports);
      for (Identities.User user : Identities.User.values()) {
        login(identities, user, server).write(commands.kubeconfig(user));
      }
      Files.write(directory.resolve("stages.yaml"), resource("stages.yaml"));
      ControlPlane fresh =
          new ControlPlane(setup, commands, login(identities, Identities.User.ADMIN, server));
      fresh.begin(progress);
      return fresh;
    } catch (IOException e) {
      throw new ProgramException(
          "the embedded control plane cannot be started in " + directory + ": " + e, e);
    }
  }

  private static Kubeconfig login(Identities identities, Identities.User user, String server)
      throws IOException {
    return new Kubeconfig(
        server, identities.authority(), user.file(), identities.token(user), "default");
  }

  private void begin(Consumer<String> progress) {
    try (ApiClient client = new ApiClient(administrator)) {
      etcd.start();
      // The API server gives up when etcd stays away for long, as on a busy machine.
      await(etcd, "a connection", () -> accepts(ports.etcd()));
      apiServer.start();
      await(apiServer, "GET /readyz", () -> client.get("/readyz").statusCode() == 200);
      clients.forEach(Component::start);
      EmbeddedNode node = new EmbeddedNode(client);
      await(clients.getFirst(), "the node", node::takesPods);
      progress.accept("the embedded control plane is ready at " + administrator.server());
    } catch (InterruptedException e) {
      close();
      Thread.currentThread().interrupt();
      throw new ProgramException("the start of the embedded control plane was interrupted", e);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private static boolean accepts(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    }
  }

  /** A question whose answer turns to yes; an IOException is a no. */
  private interface Condition {
    boolean holds() throws IOException, InterruptedException;
  }

  private void await(Component component, String what, Condition condition)
      throws InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    String last = "no answer";
    while (System.nanoTime() < end) {
      try {
        if (condition.holds()) {
          return;
        }
        last = "not ready";
      } catch (IOException e) {
        last = String.valueOf(e.getMessage());
      }
      for (Component each : components()) {
        if (each.started() && !each.runs()) {
          throw new ProgramException(each + " did not start. Its log ends with:\n  " + each.tail());
        }
      }
      Thread.sleep(PAUSE);
    }
    throw new ProgramException(
        "%s is not ready after %d s (%s: %s). Its log %s ends with:\n  %s"
            .formatted(
                component, LIMIT.toSeconds(), what, last, component.log(), component.tail()));
  }

  /** The kubeconfig file of the administrator; its path and content stay over restarts. */
  public Path kubeconfig() {
    return kubeconfig;
  }

  /** How the administrator reaches it. */
  public Kubeconfig administrator() {
    return administrator;
  }

  /** The programs it runs, and where they come from. */
  public Programs programs() {
    return programs;
  }

  /** The API server, for tests that kill it. It keeps its port and its data. */
  public Component apiServer() {
    return apiServer;
  }

  /** All components, in the order of their start. */
  public List<Component> components() {
    List<Component> all = new ArrayList<>(List.of(etcd, apiServer));
    all.addAll(clients);
    return all;
  }

  /** Waits until the API server answers again. */
  public void awaitReady() {
    try (ApiClient client = new ApiClient(administrator)) {
      await(apiServer, "GET /readyz", () -> client.get("/readyz").statusCode() == 200);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProgramException("the wait for the API server was interrupted", e);
    }
  }

  /** Stops the components in the opposite order of their start. */
  @Override
  public void close() {
    components().reversed().forEach(Component::stop);
  }

  private static Component component(
      Setup setup, Path logs, Program program, List<String> command) {
    return new Component(
        program.file(), command, logs.resolve(program.file() + ".log"), setup.threads());
  }

  private static byte[] resource(String name) {
    try (InputStream in = ControlPlane.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
