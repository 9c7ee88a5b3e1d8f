package dev.slipway.applications.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.ResourceWords;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class ResourceNeighboursTest {
  @Test
  void what_is_there_and_needs_a_resource_depends_on_it() {
    ResourceNeighbours neighbours =
        ResourceNeighbours.of(
            ResourceWords.all(
                "db: active; web: active needs=db; api: active needs=db,net; net: active;"
                    + " old: deleted needs=db; kept: active detached needs=db"));
    assertThat(neighbours.dependents(ResourceWords.id("db"))).containsExactly("api", "web");
    assertThat(neighbours.dependents(ResourceWords.id("net"))).containsExactly("api");
    assertThat(neighbours.dependents(ResourceWords.id("web"))).isEmpty();
    assertThat(neighbours.find(ResourceWords.id("old"))).isPresent();
    assertThat(neighbours.find(ResourceWords.id("unknown"))).isEmpty();
  }

  @Test
  void those_of_a_hundred_thousand_resources_are_found_in_a_time_that_grows_with_them() {
    List<KnownResource> resources =
        IntStream.range(0, 100_000)
            .mapToObj(i -> ResourceWords.one("r%d: active needs=hub,r%d".formatted(i, i / 2)))
            .toList();
    Assertions.assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> {
          ResourceNeighbours neighbours = ResourceNeighbours.of(resources);
          long dependents = 0;
          for (KnownResource resource : resources) {
            dependents += neighbours.dependents(resource.id()).size();
          }
          assertThat(dependents).isEqualTo(100_000);
          assertThat(neighbours.dependents(ResourceWords.id("hub"))).hasSize(100_000);
        });
  }
}
