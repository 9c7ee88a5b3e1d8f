package dev.slipway.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.resolve.ClusterSettings;
import dev.slipway.engine.resolve.ClusterSettings.Access;
import dev.slipway.kubernetes.controlplane.Kubeconfig;
import dev.slipway.testbed.ApiServerProxy;
import dev.slipway.testbed.SettableClock;
import dev.slipway.testbed.TestControlPlane;
import dev.slipway.testbed.TestNamespace;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters that are away, silent, renewed and closed, on the control plane of the tests. */
class ClusterTest {
  private static final Duration LEFT = Duration.ofMinutes(1);
  private static final ApiRequest WHO_AM_I =
      ApiRequest.change(
          ApiRequest.Method.POST,
          "/apis/authentication.k8s.io/v1/selfsubjectreviews",
          ApiRequest.Body.json(
              "application/json",
              Map.of("apiVersion", "authentication.k8s.io/v1", "kind", "SelfSubjectReview")));
  private static final ApiRequest NAMESPACES = ApiRequest.get("/api/v1/namespaces/default");

  private final Kubeconfig administrator = TestControlPlane.shared().administrator();

  private static Cluster cluster(Access access, InstantSource clock) {
    return new Cluster(
        "east", new ClusterSettings(access, Optional.empty(), List.of(), Map.of()), clock);
  }

  private static Access access(Kubeconfig kubeconfig) {
    return new Access.Kubeconfig(kubeconfig.text(), Optional.empty());
  }

  private static String user(Cluster cluster) throws Exception {
    return String.valueOf(cluster.send(WHO_AM_I, LEFT, () -> {}).body().get("status"));
  }

  @Test
  void an_api_server_that_is_away_for_a_minute_is_tried_a_few_times_and_then_used_again()
      throws Exception {
    SettableClock clock = new SettableClock();
    try (ApiServerProxy proxy = new ApiServerProxy(administrator);
        Cluster cluster = cluster(access(proxy.through(administrator)), clock)) {
      assertThat(cluster.read(NAMESPACES, LEFT).ok()).isTrue();
      proxy.goAway();
      int before = proxy.connections();
      Instant end = clock.instant().plusSeconds(60);
      while (clock.instant().isBefore(end)) {
        assertThatThrownBy(() -> cluster.read(NAMESPACES, LEFT))
            .isInstanceOf(ClusterDownException.class)
            .hasMessageContaining("cluster 'east'");
        clock.advance(Duration.ofMillis(100));
      }
      assertThat(proxy.connections() - before).as("600 requests").isBetween(4, 20);
      assertThat(cluster.health().state()).isEqualTo(ClusterHealth.State.UNREACHABLE);
      proxy.comeBack();
      clock.advance(Duration.ofSeconds(15));
      assertThat(cluster.read(NAMESPACES, LEFT).ok()).isTrue();
      assertThat(cluster.health().state()).isEqualTo(ClusterHealth.State.HEALTHY);
    }
  }

  @Test
  void an_api_server_that_is_silent_holds_its_share_of_the_workers_only() throws Exception {
    try (ApiServerProxy proxy = new ApiServerProxy(administrator);
        Cluster cluster = cluster(access(proxy.through(administrator)), InstantSource.system());
        ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(cluster.read(NAMESPACES, LEFT).ok()).isTrue();
      proxy.fallSilent();
      Set<String> refused = ConcurrentHashMap.newKeySet();
      Callable<ApiReply> read = () -> cluster.read(NAMESPACES, LEFT);
      List<Future<ApiReply>> all = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        all.add(workers.submit(read));
      }
      await()
          .untilAsserted(
              () ->
                  assertThat(all.stream().filter(Future::isDone))
                      .as("requests that have given up")
                      .hasSize(136));
      all.stream()
          .filter(Future::isDone)
          .forEach(each -> refused.add(each.exceptionNow().getMessage()));
      assertThat(refused).containsExactly("cluster 'east' has not answered 64 requests yet");
      proxy.speak();
      for (Future<ApiReply> each : all) {
        if (each.state() != Future.State.FAILED) {
          assertThat(each.get().ok()).isTrue();
        }
      }
    }
  }

  @Test
  void a_token_that_is_renewed_in_its_file_is_used_without_a_new_client(@TempDir Path account)
      throws Exception {
    TestNamespace namespace = TestControlPlane.freshNamespace();
    Kubeconfig first = namespace.user("first");
    Kubeconfig second = namespace.user("second");
    Files.writeString(account.resolve("ca.crt"), administrator.authority());
    Files.writeString(account.resolve("token"), first.token());
    URI server = URI.create(administrator.server());
    ClusterClients.Pod pod =
        new ClusterClients.Pod(
            account,
            Map.of(
                "KUBERNETES_SERVICE_HOST",
                server.getHost(),
                "KUBERNETES_SERVICE_PORT",
                String.valueOf(server.getPort())));
    ClusterSettings settings =
        new ClusterSettings(new Access.InCluster(), Optional.empty(), List.of(), Map.of());
    SettableClock clock = new SettableClock();
    try (Cluster cluster = new Cluster("home", settings, clock, pod)) {
      assertThat(user(cluster)).contains("system:serviceaccount:" + namespace.name() + ":first");
      Files.writeString(account.resolve("token"), second.token() + "\n");
      assertThat(user(cluster)).contains("system:serviceaccount:" + namespace.name() + ":second");
      Files.delete(account.resolve("token"));
      assertThatThrownBy(() -> user(cluster))
          .isInstanceOf(ClusterDownException.class)
          .hasMessageContaining("its token cannot be read: " + account.resolve("token"));
      Files.writeString(account.resolve("token"), "expired");
      clock.advance(Duration.ofSeconds(1));
      assertThat(cluster.send(WHO_AM_I, LEFT, () -> {}).status()).isEqualTo(401);
      assertThat(cluster.health().state()).isEqualTo(ClusterHealth.State.UNAUTHORIZED);
    }
  }

  @Test
  void a_server_outside_a_cluster_says_so() {
    assertThatThrownBy(() -> cluster(new Access.InCluster(), InstantSource.system()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not run in a cluster");
  }

  @Test
  void the_context_of_the_configuration_counts_and_not_the_current_one() throws Exception {
    Kubeconfig other = TestControlPlane.freshNamespace().user("other");
    String both =
        administrator
            .text()
            .replace(
                "contexts:\n",
                "- name: other\n  user: {token: %s}\ncontexts:\n- name: second\n  context: {cluster: embedded, user: other}\n"
                    .formatted(other.token()));
    Access second = new Access.Kubeconfig(both, Optional.of("second"));
    try (Cluster cluster = cluster(second, InstantSource.system())) {
      assertThat(user(cluster)).contains(":other");
    }
    Access unknown = new Access.Kubeconfig(both, Optional.of("third"));
    assertThatThrownBy(() -> cluster(unknown, InstantSource.system()))
        .hasMessageContaining("the kubeconfig has no context 'third'");
  }

  @Test
  void a_server_and_a_token_are_enough() throws Exception {
    Access direct =
        new Access.Token(
            URI.create(administrator.server()),
            Optional.of(administrator.authority()),
            administrator.token());
    try (Cluster cluster = cluster(direct, InstantSource.system())) {
      assertThat(user(cluster)).contains("slipway-admin");
    }
  }

  @Test
  void clusters_that_are_closed_leave_no_thread() throws Exception {
    AtomicReference<Map<String, ClusterSettings>> configured = new AtomicReference<>(Map.of());
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    try (ApiServerProxy away = new ApiServerProxy(administrator);
        Clusters clusters = new Clusters(configured::get, InstantSource.system())) {
      away.goAway();
      for (int i = 0; i < 20; i++) {
        configured.set(
            Map.of(
                "up", entry(administrator, "up" + i),
                "away", entry(away.through(administrator), "away" + i)));
        assertThat(clusters.health(Duration.ZERO).values().stream().map(ClusterHealth::state))
            .containsExactly(ClusterHealth.State.UNREACHABLE, ClusterHealth.State.HEALTHY);
      }
    }
    await()
        .untilAsserted(
            () -> {
              // The JDK's client ends its thread when it is collected.
              System.gc();
              assertThat(
                      Thread.getAllStackTraces().keySet().stream()
                          .filter(thread -> !before.contains(thread))
                          .map(Thread::getName)
                          .filter(name -> name.contains("HttpClient") || name.contains("fabric8"))
                          .collect(Collectors.toSet()))
                  .isEmpty();
            });
  }

  /** Settings that differ by their namespaces get a new client each. */
  private static ClusterSettings entry(Kubeconfig kubeconfig, String namespace) {
    return new ClusterSettings(access(kubeconfig), Optional.empty(), List.of(namespace), Map.of());
  }
}
