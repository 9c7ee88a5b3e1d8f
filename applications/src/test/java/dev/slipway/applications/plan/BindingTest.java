package dev.slipway.applications.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.plan.Binding.Answer;
import dev.slipway.applications.plan.Binding.Bound;
import dev.slipway.applications.plan.Binding.Typing;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.SecretBox;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BindingTest {
  private final SecretBox box = new SecretBox(new byte[32]);

  private Bound bind(Object tree, Typing typing) {
    Map<String, Object> outputs =
        Map.of(
            "port",
            5432L,
            "host",
            "db.local",
            "tls",
            false,
            "password",
            box.seal("hunter2"),
            "deep",
            Map.of("list", List.of(1L, 2L)));
    return Binding.bind(
        tree,
        typing,
        box,
        name ->
            switch (name) {
              case "db" -> new Answer.Ready("id-of-db", outputs);
              case "later" -> new Answer.Pending();
              default -> new Answer.Absent();
            });
  }

  @Test
  void a_value_that_is_one_placeholder_keeps_its_type_in_params_and_is_text_elsewhere() {
    assertThat(bind("${resources.db.port}", Typing.KEPT).value()).isEqualTo(5432L);
    assertThat(bind("${resources.db.tls}", Typing.KEPT).value()).isEqualTo(false);
    assertThat(bind("${resources.db.port}", Typing.TEXT).value()).isEqualTo("5432");
    assertThat(bind("${resources.db.deep}", Typing.TEXT).value()).isEqualTo("{\"list\":[1,2]}");
    assertThat(bind("${resources.db}", Typing.KEPT).value()).isEqualTo("id-of-db");
    assertThat(bind("x:${resources.db.port}", Typing.KEPT).value()).isEqualTo("x:5432");
  }

  @Test
  void escapes_come_out_as_they_are_meant_and_results_are_not_scanned_again() {
    assertThat(bind("$${resources.db.host} $abc $$", Typing.KEPT).value())
        .isEqualTo("${resources.db.host} $abc $");
    assertThat(bind(List.of("a", 1L, true), Typing.KEPT).value()).isEqualTo(List.of("a", 1L, true));
  }

  @Test
  void whatever_embeds_a_secret_is_one() {
    Bound bound = bind(Map.of("url", "pg://u:${resources.db.password}@x"), Typing.KEPT);
    Object url = bound.map().get("url");
    assertThat(url).isInstanceOf(Sealed.class);
    assertThat(box.open((Sealed) url)).isEqualTo("pg://u:hunter2@x");
    assertThat(bind("${resources.db.password}", Typing.KEPT).value()).isInstanceOf(Sealed.class);
  }

  @Test
  void what_is_not_there_yet_is_waited_for_and_what_never_will_be_is_reported() {
    Bound bound =
        bind(
            Map.of(
                "a", "${resources.later.x}", "b", "${resources.db.hots}", "c", "${resources.no.x}"),
            Typing.KEPT);
    assertThat(bound.pending()).containsExactly("later");
    assertThat(bound.missing())
        .containsExactlyInAnyOrder(
            "resource 'db' has no output 'hots'", "there is no resource 'no'");
    assertThat(bound.complete()).isFalse();
  }
}
