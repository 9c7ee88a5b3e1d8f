package dev.slipway.engine.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRingTest {
  private static final EncryptionContext MINE = EncryptionContext.run(new UUID(1, 1));
  private static final EncryptionContext OTHER = EncryptionContext.run(new UUID(1, 2));

  private static byte[] key(int seed) {
    byte[] key = new byte[KeyRing.KEY_BYTES];
    Arrays.fill(key, (byte) seed);
    return key;
  }

  private static String base64(int seed) {
    return Base64.getEncoder().encodeToString(key(seed));
  }

  @Test
  void a_ciphertext_that_is_moved_to_another_row_does_not_open() {
    SecretBox box = new SecretBox(key(1));
    Sealed sealed = box.seal("hunter2", MINE);
    Sealed moved = new Sealed(sealed.ciphertext(), OTHER);
    assertThat(box.open(sealed)).isEqualTo("hunter2");
    assertThatThrownBy(() -> box.open(moved)).hasMessageContaining("sealed for another row");
  }

  @Test
  void what_looks_sealed_and_comes_from_a_request_opens_nothing() {
    SecretBox plain = new SecretBox(KeyRing.parse(base64(1)));
    SecretBox bound = new SecretBox(key(1));
    for (SecretBox box : List.of(plain, bound)) {
      String request = Json.write(Map.of("mine", box.seal("hunter2", MINE)));
      assertThatThrownBy(() -> box.openLeaves(Json.read(request)))
          .hasMessageContaining("does not come from the database");
    }
  }

  @Test
  void binding_seals_each_leaf_for_the_row_and_leaves_alone_what_belongs_there() {
    SecretBox box = new SecretBox(key(1));
    Sealed there = box.seal("a", MINE);
    Map<String, Object> tree = Map.of("a", there, "b", List.of(box.seal("b"), 1L));
    Map<String, Object> bound = Values.map(box.bind(tree, MINE));
    assertThat(bound.get("a")).isSameAs(there);
    String stored = Json.write(bound);
    assertThat(box.openLeaves(Json.read(stored, MINE)))
        .isEqualTo(Map.of("a", "a", "b", List.of("b", 1L)));
    assertThatThrownBy(() -> box.openLeaves(Json.read(stored, OTHER)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void equal_secrets_of_one_row_have_equal_ciphertexts_and_of_two_rows_different_ones() {
    SecretBox box = new SecretBox(key(1));
    assertThat(box.seal("x", MINE)).isEqualTo(box.seal("x", MINE));
    assertThat(box.seal("x", MINE).ciphertext()).isNotEqualTo(box.seal("x", OTHER).ciphertext());
    assertThat(box.seal("x", MINE)).isNotEqualTo(box.seal("y", MINE));
  }

  @Test
  void a_rotation_keeps_everything_readable_until_old_keys_are_retired() {
    SecretBox box = new SecretBox(KeyRing.parse(base64(1)));
    Sealed first = box.seal("x", MINE);
    assertThat(first.ciphertext()).startsWith("v1:");
    String fingerprint = box.fingerprint("x");
    box.use(box.keys().withNext(key(2)));
    assertThat(box.seal("x", MINE).ciphertext()).contains(box.keys().sealing());
    String next = box.keys().next().orElseThrow();
    box.use(box.keys().promoted());
    assertThat(box.keys().sealing()).isEqualTo(next);
    Sealed second = box.seal("x", MINE);
    assertThat(box.open(first)).isEqualTo("x");
    assertThat(box.fits(first, MINE)).isFalse();
    box.use(box.keys().retired());
    assertThat(box.open(second)).isEqualTo("x");
    assertThat(box.fits(second, MINE)).isTrue();
    assertThatThrownBy(() -> box.open(first)).isInstanceOf(IllegalStateException.class);
    assertThat(box.fingerprint("x")).isEqualTo(fingerprint);
  }

  @Test
  void a_replica_that_has_the_next_key_opens_what_another_one_seals_with_it() {
    KeyRing first = KeyRing.fresh(key(1), key(9));
    SecretBox behind = new SecretBox(first.withNext(key(2)));
    SecretBox ahead = new SecretBox(first.withNext(key(2)).promoted());
    assertThat(behind.open(ahead.seal("x", MINE))).isEqualTo("x");
    assertThat(ahead.open(behind.seal("x", MINE))).isEqualTo("x");
    assertThat(ahead.fingerprint("x")).isEqualTo(behind.fingerprint("x"));
  }

  @Test
  void the_text_is_read_back_as_the_same_ring_and_nothing_else_shows_a_key() {
    KeyRing ring = KeyRing.fresh(key(1), key(2)).withNext(key(3)).promoted().withNext(key(4));
    assertThat(KeyRing.parse(ring.text())).isEqualTo(ring);
    assertThat(ring.text()).contains(base64(1), base64(2), base64(3), base64(4));
    assertThat(ring.toString()).doesNotContain(base64(1), base64(2), base64(3), base64(4));
    assertThat(KeyRing.parse(base64(1)).text().strip()).isEqualTo(base64(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no base64 at all",
        "AAAA",
        "seal AAAA",
        "seal AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "fingerprint AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"
            + "fingerprint AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "lock AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
      })
  void a_text_without_usable_keys_is_refused_and_not_repeated(String text) {
    assertThatThrownBy(() -> KeyRing.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .doesNotContain("AAAA");
  }
}
