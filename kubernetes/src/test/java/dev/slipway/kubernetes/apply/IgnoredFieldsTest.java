package dev.slipway.kubernetes.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.kubernetes.apply.ObjectField.Item;
import dev.slipway.kubernetes.apply.ObjectField.Named;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields that a look leaves out, as steps write them. */
class IgnoredFieldsTest {
  private static final ObjectField IMAGE =
      new ObjectField(
          List.of(
              new Named("spec"),
              new Named("containers"),
              new Item(1, "k:{\"name\":\"web\"}"),
              new Named("image")));

  private static final ObjectField NOTE =
      new ObjectField(
          List.of(new Named("metadata"), new Named("annotations"), new Named("example.org/rev")));

  private static boolean covers(String written, ObjectField field) throws RefusedException {
    return IgnoredFields.of(List.of(written)).cover("Pod", field);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spec",
        "/spec",
        "spec.containers",
        "spec.containers[1].image",
        "spec.containers[name=web].image",
        "spec.containers[name=\"web\"]",
        "spec.containers[*].image",
        "/spec/containers/1/image",
        "/spec/containers/*/image",
        "Pod spec.containers",
        "Pod /spec",
      })
  void a_field_is_left_out_with_everything_below_it(String written) throws RefusedException {
    assertThat(covers(written, IMAGE)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spec.containers[0].image",
        "spec.containers[name=side].image",
        "spec.containers[name=web].image.tag",
        "spec.image",
        "specs",
        "Deployment spec",
        "metadata",
      })
  void other_fields_are_compared(String written) throws RefusedException {
    assertThat(covers(written, IMAGE)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"metadata.annotations[example.org/rev]", "/metadata/annotations/example.org~1rev"})
  void a_key_with_dots_and_slashes_stands_in_brackets_or_in_a_pointer(String written)
      throws RefusedException {
    assertThat(covers(written, NOTE)).isTrue();
    assertThat(NOTE).hasToString("metadata.annotations[example.org/rev]");
  }

  @Test
  void a_field_is_named_by_the_keys_of_its_items() {
    assertThat(IMAGE).hasToString("spec.containers[name=\"web\"].image");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "spec..replicas", "a b c", "spec[", "spec.containers[]"})
  void what_names_no_field_is_an_error(String written) {
    assertThatThrownBy(() -> IgnoredFields.of(List.of(written)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("ignoreFields");
  }
}
