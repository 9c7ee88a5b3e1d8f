package dev.slipway.applications.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.plan.Binding.Answer;
import dev.slipway.applications.plan.Binding.Bound;
import dev.slipway.applications.plan.Binding.Typing;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.SecretBox;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of params whose placeholders name resources. */
class BindingTest {
  private final SecretBox box = new SecretBox(new byte[32]);

  /** The outputs of {@code db}. */
  private Map<String, @Nullable Object> outputs() {
    Map<String, @Nullable Object> outputs = new HashMap<>();
    outputs.put("port", 5432L);
    outputs.put("host", "db.local");
    outputs.put("tls", false);
    outputs.put("empty", "");
    outputs.put("nothing", null);
    outputs.put("hostile", "${resources.db.password} $$");
    outputs.put("password", box.seal("hunter2"));
    outputs.put("vault", box.seal(Map.of("key", "k-1")));
    outputs.put("users", List.of("ann", box.seal("pw-of-bob")));
    outputs.put("deep", Map.of("list", List.of(1L, 2L)));
    return outputs;
  }

  private Bound bind(Object tree, Typing typing) {
    Map<String, @Nullable Object> outputs = outputs();
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

  /** Text after {@code sealed:} is the text of a secret. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          plain                                        | KEPT | text plain
          ${resources.db.port}                         | KEPT | Long 5432
          ${resources.db.port}                         | TEXT | text 5432
          ${resources.db.tls}                          | KEPT | Boolean false
          ${resources.db.tls}                          | TEXT | text false
          ${resources.db.empty}                        | KEPT | text
          ${resources.db.nothing}                      | KEPT | null
          [${resources.db.nothing}]                    | TEXT | text [null]
          ${resources.db.deep.list}                    | KEPT | [Long 1, Long 2]
          ${resources.db.deep.list}                    | TEXT | text [1,2]
          ${resources.db}                              | KEPT | text id-of-db
          ${resources.db.host}:${resources.db.port}    | KEPT | text db.local:5432
          ${resources.db.port}${resources.db.port}     | KEPT | text 54325432
          ${resources.db.hostile}                      | KEPT | text ${resources.db.password} $$
          <${resources.db.hostile}>                    | TEXT | text <${resources.db.password} $$>
          $$${resources.db.port}                       | KEPT | text $5432
          $ $x $$x                                     | KEPT | text $ $x $x
          ${resources.db.password}                     | KEPT | secret text hunter2
          ${resources.db.password}                     | TEXT | secret text hunter2
          p=${resources.db.password}                   | KEPT | secret text p=hunter2
          ${resources.db.vault.key}                    | KEPT | secret text k-1
          ${resources.db.users}                        | KEPT | [text ann, secret text pw-of-bob]
          ${resources.db.users}                        | TEXT | secret text ["ann","pw-of-bob"]
          sealed:plain                                 | KEPT | secret text plain
          sealed:x ${resources.db.host}                | KEPT | secret text x db.local
          sealed:${resources.db.port}                  | KEPT | secret Long 5432
          sealed:${resources.db.password}              | KEPT | secret text hunter2
          ${resources.later.x}                         | KEPT | waits for [later]
          ${resources.later}                           | KEPT | waits for [later]
          a ${resources.db.host} b ${resources.later.x} | TEXT | waits for [later]
          sealed:${resources.later.x}                  | KEPT | waits for [later]
          ${resources.no.x}                            | KEPT | [there is no resource 'no']
          ${resources.no}                              | KEPT | [there is no resource 'no']
          ${resources.db.deep.none}                    | KEPT | [resource 'db' has no output 'none']
          ${resources.db.port.x}                       | KEPT | [resource 'db' has no output 'x']
          ${resources.db.vault.none}                   | KEPT | [resource 'db' has no output 'none']
          ${resources.no.x} ${resources.later.x}       | KEPT | waits for [later] [there is no resource 'no']
          ${resources.no.x} ${resources.no.y}          | KEPT | [there is no resource 'no']
          ${metadata.name}                             | KEPT | [${metadata.name} cannot be used here]
          ${environment.name}                          | KEPT | [${environment.name} cannot be used here]
          """)
  void binds(String text, Typing typing, String expected) {
    Object tree = text.startsWith("sealed:") ? box.seal(text.substring("sealed:".length())) : text;
    assertThat(text(bind(tree, typing))).isEqualTo(expected);
  }

  private String text(Bound bound) {
    String waits = bound.pending().isEmpty() ? "" : "waits for " + bound.pending();
    String missing = bound.missing().isEmpty() ? "" : bound.missing().toString();
    return bound.complete() ? text(bound.value()).strip() : (waits + " " + missing).strip();
  }

  private String text(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> "text " + text;
      case Sealed sealed -> "secret " + text(box.open(sealed));
      case List<?> list -> list.stream().map(this::text).toList().toString();
      default -> value.getClass().getSimpleName() + " " + value;
    };
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
