package dev.slipway.kubernetes.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.slipway.kubernetes.controlplane.ControlPlane.Durability;
import dev.slipway.programs.ProgramException;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Control planes that are killed, stopped and started again. */
class ControlPlaneTest {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  @TempDir Path directory;

  /** A program that starts a control plane, prints the process ids of its components and waits. */
  static final class Owner {
    public static void main(String[] directory) throws Exception {
      ControlPlane plane = start(Path.of(directory[0]), Durability.TEMPORARY, found());
      for (Component component : plane.components()) {
        System.out.println(component.pid());
      }
      System.out.println("started");
      new CountDownLatch(1).await(); // until it is killed
    }
  }

  @Test
  void no_component_survives_an_owner_that_is_killed() throws IOException {
    Process owner =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Owner.class.getName(),
                directory.toString())
            .start();
    try (BufferedReader said = owner.inputReader()) {
      List<ProcessHandle> components =
          said.lines()
              .takeWhile(line -> !line.equals("started"))
              .flatMap(line -> ProcessHandle.of(Long.parseLong(line)).stream())
              .toList();
      assertThat(components).hasSize(5).allMatch(ProcessHandle::isAlive);
      owner.destroyForcibly();
      await().atMost(SOON).until(() -> components.stream().noneMatch(ProcessHandle::isAlive));
    } finally {
      owner.destroyForcibly();
    }
  }

  @Test
  void an_api_server_that_was_killed_comes_back_with_its_port_and_its_objects() throws Exception {
    try (ControlPlane plane = start(directory, Durability.TEMPORARY, found());
        ApiClient client = new ApiClient(plane.administrator())) {
      assertThat(client.post(CONFIG_MAPS, configMap("kept")).statusCode()).isEqualTo(201);
      plane.apiServer().kill();
      assertThat(plane.apiServer().runs()).isFalse();
      assertThatThrownBy(() -> client.get(CONFIG_MAPS)).isInstanceOf(IOException.class);
      plane.apiServer().start();
      plane.awaitReady();
      assertThat(client.get(CONFIG_MAPS + "/kept").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void data_logins_and_address_survive_a_restart_of_the_owner() throws Exception {
    String kubeconfig;
    try (ControlPlane plane = start(directory, Durability.KEPT, found());
        ApiClient client = new ApiClient(plane.administrator())) {
      kubeconfig = Files.readString(plane.kubeconfig());
      assertThat(client.post(CONFIG_MAPS, configMap("kept")).statusCode()).isEqualTo(201);
    }
    try (ControlPlane plane = start(directory, Durability.KEPT, found());
        ApiClient client = new ApiClient(plane.administrator())) {
      assertThat(plane.kubeconfig()).hasContent(kubeconfig);
      assertThat(client.get(CONFIG_MAPS + "/kept").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void a_component_that_ends_by_itself_is_started_again() throws Exception {
    try (ControlPlane plane = start(directory, Durability.TEMPORARY, found())) {
      Component scheduler = plane.components().get(3);
      long before = scheduler.pid();
      ProcessHandle.of(before).orElseThrow().destroyForcibly();
      await().atMost(SOON).until(() -> scheduler.runs() && scheduler.pid() != before);
    }
  }

  @Test
  void files_with_keys_and_tokens_belong_to_this_user_alone() throws IOException {
    Identities identities = Identities.in(directory.resolve("identities"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(identities.directory())))
        .isEqualTo("rwx------");
    Path kubeconfig =
        new Kubeconfig("https://127.0.0.1:1", "ca", "user", "token", "default")
            .write(directory.resolve("kubeconfig"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kubeconfig)))
        .isEqualTo("rw-------");
  }

  @Test
  void a_component_that_cannot_start_is_named_with_the_end_of_its_log() throws IOException {
    Path broken =
        Files.writeString(directory.resolve("broken"), "#!/bin/sh\necho no disk\nexit 3\n");
    assertThat(broken.toFile().setExecutable(true)).isTrue();
    Map<Program, Path> files = new EnumMap<>(Program.class);
    for (Program program : Program.values()) {
      files.put(program, broken);
    }
    assertThatThrownBy(() -> start(directory, Durability.TEMPORARY, new Programs(files, "a test")))
        .isInstanceOf(ProgramException.class)
        .hasMessageMatching("(?s)(etcd|kube-apiserver) did not start. Its log ends with:.*no disk");
  }

  @Test
  void a_port_that_another_program_took_is_named() throws IOException {
    Path ports = directory.resolve("ports");
    Ports chosen = Ports.in(ports);
    try (ServerSocket other =
        new ServerSocket(chosen.etcd(), 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> Ports.in(ports))
          .hasMessageContaining("port " + other.getLocalPort())
          .hasMessageContaining("delete " + ports);
    }
  }

  private static Programs found() {
    return Programs.find(System.err::println);
  }

  private static ControlPlane start(Path directory, Durability durability, Programs programs) {
    return ControlPlane.start(
        new ControlPlane.Setup(
            directory,
            programs,
            durability,
            (name, work) -> Thread.ofVirtual().name(name).start(work)),
        line -> {});
  }

  private static String configMap(String name) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\""
        + name
        + "\"}}";
  }
}
