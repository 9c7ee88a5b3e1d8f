package dev.slipway.kubernetes.watch;

import static dev.slipway.kubernetes.watch.Watched.CONFIG_MAPS;
import static dev.slipway.kubernetes.watch.Watched.data;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.kubernetes.controlplane.ControlPlane;
import dev.slipway.kubernetes.watch.OwnedChange.What;
import dev.slipway.testbed.TestControlPlane;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An API server that is killed while its objects are watched. */
@Tag("proof")
class ClusterRestartTest {
  @Test
  void watches_pause_while_the_api_server_is_away_and_miss_nothing() throws Exception {
    try (ControlPlane plane = TestControlPlane.separate();
        Watched watched = new Watched(plane.administrator(), "default", Watched.QUICK)) {
      watched.watching(CONFIG_MAPS);
      watched.apply(CONFIG_MAPS, "web", data("a=1"));
      Awaitility.await("its watch knows it")
          .until(() -> watched.watches.views().getFirst().objects() == 1);
      plane.apiServer().kill();
      Awaitility.await("the watch is lost").until(() -> !watched.watches.stands(CONFIG_MAPS));
      long requests = watched.watches.views().getFirst().requests();
      plane.apiServer().start();
      plane.awaitReady();
      assertThat(watched.watches.views().getFirst().requests() - requests)
          .as("requests while it was away, with growing pauses")
          .isLessThan(60);
      Awaitility.await("the watch stands again")
          .atMost(Duration.ofSeconds(60))
          .until(() -> watched.watches.stands(CONFIG_MAPS));
      Awaitility.await("a change after the restart")
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .until(() -> !watched.applyAs("other", CONFIG_MAPS, "web", data("a=2")).isEmpty());
      Awaitility.await("it is reported")
          .atMost(Duration.ofSeconds(60))
          .until(() -> watched.reported("web").contains(What.FIELDS));
    }
  }
}
