package dev.slipway.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LongListsTest {
  private final LongLists lists = new LongLists();
  private final AtomicInteger counts = new AtomicInteger();

  private long counted(String list, long rows) {
    return lists.total(
        list,
        () -> {
          counts.incrementAndGet();
          return rows;
        });
  }

  @Test
  void a_list_that_was_too_long_to_count_is_not_counted_again_at_once() {
    assertThat(counted("all", Total.MOST + 1L)).isEqualTo(Total.MOST + 1L);
    assertThat(counted("all", Total.MOST + 1L)).isEqualTo(Total.MOST + 1L);
    assertThat(counts).hasValue(1);
    assertThat(counted("of a team", 3)).isEqualTo(3);
  }

  @Test
  void a_list_that_can_be_counted_is_counted_each_time() {
    assertThat(counted("few", 3)).isEqualTo(3);
    assertThat(counted("few", 4)).isEqualTo(4);
    assertThat(counted("just as many", Total.MOST)).isEqualTo(Total.MOST);
    assertThat(counted("just as many", 5)).isEqualTo(5);
  }
}
