package dev.slipway.engine.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.intake.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Manifests get their values after the YAML was read. */
class ManifestRenderingTest {
  private static final String BREAKOUT = "x\nkind: ClusterRole\n---\nkind: Secret";

  private static List<RenderedManifest> render(Object written, Map<String, Object> parameters) {
    return ManifestRendering.render(written, Scope.of(parameters, Instant.EPOCH));
  }

  private static Map<String, Object> one(Object written, Map<String, Object> parameters) {
    List<RenderedManifest> all = render(written, parameters);
    assertThat(all).hasSize(1);
    return all.getFirst().content();
  }

  @Test
  void a_value_can_add_neither_a_key_nor_a_document() {
    for (String quote : List.of("", "'", "\"")) {
      Map<String, Object> content =
          one(
              "kind: ConfigMap\nspec: {a: %s{{ .parameters.evil }}%s}".formatted(quote, quote),
              Map.of("evil", BREAKOUT));
      assertThat(content)
          .containsEntry("kind", "ConfigMap")
          .containsEntry("spec", Map.of("a", BREAKOUT))
          .hasSize(2);
    }
    assertThat(
            one(
                "kind: ConfigMap\ndata:\n  a: |\n    {{ .parameters.evil }}\n",
                Map.of("evil", BREAKOUT)))
        .containsEntry("data", Map.of("a", BREAKOUT + "\n"));
  }

  @Test
  void plain_scalars_take_the_type_of_their_text_and_quoted_ones_stay_strings() {
    Map<String, Object> content =
        one(
            """
            spec:
              plain: {{ .parameters.count }}
              quoted: "{{ .parameters.count }}"
              joined: {{ .parameters.count }}00
              flag: {{ .parameters.flag }}
              word: {{ .parameters.word }}
            metadata:
              labels: {count: {{ .parameters.count }}}
            data: {count: {{ .parameters.count }}}
            """,
            Map.of("count", 3L, "flag", "true", "word", "{a: b}"));
    assertThat(content.get("spec"))
        .isEqualTo(
            Map.of("plain", 3L, "quoted", "3", "joined", 300L, "flag", true, "word", "{a: b}"));
    assertThat(content.get("metadata")).isEqualTo(Map.of("labels", Map.of("count", "3")));
    assertThat(content.get("data")).isEqualTo(Map.of("count", "3"));
  }

  @Test
  void only_toYaml_and_toJson_and_whole_values_emit_structure() {
    Map<String, Object> content =
        one(
            """
            spec:
              whole: {{ .parameters.map }}
              yaml: {{ toYaml .parameters.map }}
              json: {{ .parameters.map | toJson }}
            metadata: {labels: {{ toYaml .parameters.map }}}
            """,
            Map.of("map", Map.of("a", 1L)));
    assertThat(content.get("spec"))
        .isEqualTo(
            Map.of("whole", Map.of("a", 1L), "yaml", Map.of("a", 1L), "json", Map.of("a", 1L)));
    assertThat(content.get("metadata")).isEqualTo(Map.of("labels", Map.of("a", "1")));
  }

  @Test
  void a_text_has_several_documents_and_each_knows_the_lines_of_its_values() {
    List<RenderedManifest> all =
        render("# first\nkind: A\n---\nkind: B\nspec:\n  replicas: x\n---\n\n", Map.of());
    assertThat(all).extracting(m -> m.content().get("kind")).containsExactly("A", "B");
    assertThat(all.get(1).place(Path.of("spec", "replicas"))).contains("manifest:6:3");
    assertThat(all.get(1).place(Path.of("spec", "missing", "deeper"))).contains("manifest:5:1");
  }

  @Test
  void a_manifest_may_be_a_map_or_a_list_of_maps() {
    assertThat(
            render(
                List.of(
                    Map.of("kind", "A", "spec", Map.of("n", "{{ .parameters.n }}")),
                    Map.of("kind", "B")),
                Map.of("n", 5L)))
        .extracting(RenderedManifest::content)
        .containsExactly(Map.of("kind", "A", "spec", Map.of("n", 5L)), Map.of("kind", "B"));
    assertThat(one(Map.of("data", Map.of("n", "{{ .parameters.n }}")), Map.of("n", 5L)))
        .isEqualTo(Map.of("data", Map.of("n", "5")));
  }

  @Test
  void broken_manifests_are_refused_with_their_line() {
    assertThatThrownBy(
            () -> render("kind: A\n{{ if .parameters.n }}\nspec: 1\n{{ end }}\n", Map.of("n", 1L)))
        .isInstanceOf(RenderingException.class)
        .hasMessageContaining("manifest:")
        .hasMessageNotContaining("\uE0F0");
    assertThatThrownBy(() -> render("kind: A\n{{ .parameters.n }}: 1\n", Map.of("n", "a")))
        .hasMessageContaining("manifest:2:1: a key cannot hold a template");
    assertThatThrownBy(() -> render("kind: A\nkind: B\n", Map.of()))
        .hasMessageContaining("manifest:2:1");
    assertThatThrownBy(() -> render("- a\n- b\n", Map.of()))
        .hasMessageContaining("a manifest is a map");
  }

  @Test
  void a_secret_is_shown_without_its_values() {
    RenderedManifest secret =
        render("kind: Secret\nstringData: {password: hunter2}\n", Map.of()).getFirst();
    assertThat(secret.readable().toString()).contains("password").doesNotContain("hunter2");
  }
}
