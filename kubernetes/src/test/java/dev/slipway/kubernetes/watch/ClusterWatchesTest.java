package dev.slipway.kubernetes.watch;

import static dev.slipway.kubernetes.watch.Watched.CONFIG_MAPS;
import static dev.slipway.kubernetes.watch.Watched.DEPLOYMENTS;
import static dev.slipway.kubernetes.watch.Watched.SECRETS;
import static dev.slipway.kubernetes.watch.Watched.data;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.kubernetes.controlplane.Kubeconfig;
import dev.slipway.kubernetes.watch.OwnedChange.What;
import dev.slipway.testbed.SwallowingProxy;
import dev.slipway.testbed.TestControlPlane;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What watches tell of objects of Slipway's on a real control plane, and how they come back. */
class ClusterWatchesTest {
  private static final Kubeconfig ADMIN = TestControlPlane.shared().administrator();

  private final String namespace = TestControlPlane.freshNamespace().name();
  private Watched watched = new Watched(ADMIN, namespace, Watched.QUICK);

  @AfterEach
  void close() {
    watched.close();
  }

  private void awaitTold(String name, What... changes) {
    Awaitility.await("what is reported of " + name)
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(watched.reported(name)).containsExactly(changes));
  }

  /** Events of a kind come in order: what is reported of this one comes after all before. */
  private void awaitLast() {
    watched.apply(CONFIG_MAPS, "last", data("a=1"));
    watched.delete(CONFIG_MAPS, "last");
    awaitTold("last", What.DELETED);
  }

  @Test
  void fields_that_another_client_takes_and_objects_that_go_are_reported_and_nothing_of_ours() {
    watched.watching(CONFIG_MAPS);
    watched.apply(CONFIG_MAPS, "ours", data("a=1", "b=1"));
    watched.apply(CONFIG_MAPS, "ours", data("a=2", "b=1"));
    watched.apply(CONFIG_MAPS, "taken", data("a=1", "b=1"));
    watched.applyAs("other", CONFIG_MAPS, "taken", data("a=2"));
    watched.apply(CONFIG_MAPS, "removed", data("a=1"));
    watched.patch(CONFIG_MAPS, "removed", Map.of("data", Collections.singletonMap("a", null)));
    watched.apply(CONFIG_MAPS, "noise", data("a=1"));
    watched.applyAs("other", CONFIG_MAPS, "noise", data("theirs=1"));
    watched.applyAs("other", CONFIG_MAPS, "noise", data("a=1", "theirs=2"));
    watched.apply(CONFIG_MAPS, "unlabelled", data("a=1"));
    watched.patch(
        CONFIG_MAPS,
        "unlabelled",
        Map.of("metadata", Map.of("labels", Collections.singletonMap("slipway.dev/owner", null))));
    awaitLast();
    assertThat(watched.reported("ours")).isEmpty();
    assertThat(watched.reported("noise")).isEmpty();
    assertThat(watched.reported("taken")).containsExactly(What.FIELDS);
    assertThat(watched.reported("removed")).containsExactly(What.FIELDS);
    assertThat(watched.reported("unlabelled")).containsExactly(What.DELETED);
  }

  @Test
  void a_change_of_health_is_reported() {
    watched.watching(DEPLOYMENTS);
    watched.apply(DEPLOYMENTS, "web", deployment("a"));
    Awaitility.await("it is rolled out and healthy")
        .until(() -> !watched.reported("web").isEmpty());
    watched.patch(DEPLOYMENTS, "web", Map.of("spec", Map.of("paused", true)));
    int before = watched.reported("web").size();
    Awaitility.await("it is suspended").until(() -> watched.reported("web").size() >= before);
    assertThat(watched.reported("web")).containsOnly(What.HEALTH);
  }

  private static Map<String, Object> deployment(String image) {
    return Map.of(
        "spec",
        Map.of(
            "selector",
            Map.of("matchLabels", Map.of("app", "web")),
            "template",
            Map.of(
                "metadata",
                Map.of("labels", Map.of("app", "web"), "annotations", Map.of("n", "1")),
                "spec",
                Map.of("containers", List.of(Map.of("name", "web", "image", image))))));
  }

  private long requests() {
    return watched.watches.views().getFirst().requests();
  }

  @Test
  void a_watch_that_the_server_ends_goes_on_where_it_was() {
    watched.close();
    watched =
        new Watched(
            ADMIN,
            namespace,
            new WatchTiming(
                Duration.ofSeconds(1),
                Duration.ofSeconds(30),
                Duration.ofSeconds(3),
                Duration.ofMillis(50),
                Duration.ofMillis(500),
                Duration.ofSeconds(1)));
    watched.watching(CONFIG_MAPS);
    long lists = watched.cluster.reads();
    watched.apply(CONFIG_MAPS, "first", data("a=1"));
    for (int times = 1; times <= 3; times++) {
      long applied = Instant.now().getEpochSecond();
      long ended = requests();
      Awaitility.await(
              "the server ends a watch, and the time of the last apply, in seconds, is over")
          .atMost(Duration.ofSeconds(60))
          .until(() -> requests() > ended && Instant.now().getEpochSecond() > applied);
      watched.applyAs("other", CONFIG_MAPS, "first", data("a=" + times + 5));
      int seen = times;
      Awaitility.await("a change that the next watch reports")
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(watched.reported("first")).hasSize(seen));
      watched.apply(CONFIG_MAPS, "first", data("a=1"));
    }
    assertThat(watched.cluster.reads()).as("no second list").isEqualTo(lists);
  }

  @Test
  void a_connection_that_dies_silently_is_noticed_and_what_was_missed_is_reported() {
    URI server = URI.create(ADMIN.server());
    try (SwallowingProxy proxy = new SwallowingProxy(server.getPort())) {
      watched.close();
      watched =
          new Watched(
              new Kubeconfig(
                  "https://127.0.0.1:" + proxy.port(),
                  ADMIN.authority(),
                  ADMIN.user(),
                  ADMIN.token(),
                  namespace),
              namespace,
              Watched.QUICK);
      watched.watching(CONFIG_MAPS);
      watched.apply(CONFIG_MAPS, "web", data("a=1"));
      Awaitility.await("its watch knows it")
          .until(() -> watched.watches.views().getFirst().objects() >= 1);
      proxy.swallow();
      TestControlPlane.client()
          .configMaps()
          .inNamespace(namespace)
          .withName("web")
          .edit(
              live -> {
                live.setData(Map.of("a", "2"));
                return live;
              });
      Awaitility.await("the staleness grows")
          .until(
              () ->
                  watched.watches.views().getFirst().staleness().compareTo(Duration.ofSeconds(2))
                      > 0);
      awaitTold("web", What.FIELDS);
      assertThat(watched.watches.views().getFirst().staleness()).isLessThan(Duration.ofSeconds(3));
    }
  }

  @Test
  void a_refused_watch_is_tried_again_now_and_then_and_knows_no_version() {
    watched.close();
    watched =
        new Watched(
            TestControlPlane.freshNamespace().user("without-rights"), namespace, Watched.QUICK);
    watched.watches.watch(CONFIG_MAPS);
    Awaitility.await().until(() -> watched.cluster.reads() > 2);
    assertThat(watched.watches.stands(CONFIG_MAPS)).isFalse();
    assertThat(watched.watches.at(CONFIG_MAPS, Optional.of(namespace), "kube-root-ca.crt", "1"))
        .isFalse();
  }

  @Test
  void of_a_secret_the_cluster_sends_no_content() {
    watched.watching(SECRETS);
    Map<String, Object> made = watched.apply(SECRETS, "login", data("password=c3dvcmRmaXNo"));
    Awaitility.await("its version is known")
        .until(
            () ->
                watched.watches.at(
                    SECRETS, Optional.of(namespace), "login", Watched.version(made)));
    watched.applyAs("other", SECRETS, "login", data("password=b3RoZXI="));
    awaitTold("login", What.FIELDS);
  }
}
