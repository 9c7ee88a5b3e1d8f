package dev.slipway.engine.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
  private final SecretBox box = new SecretBox(new byte[32]);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password",
        "db_password",
        "dbPassword",
        "PASSWORD",
        "api-key",
        "apiKey",
        "client_secret",
        "token",
        "accessTokens",
        "private_key",
        "connection_string",
        "connectionString",
        "credentials"
      })
  void names_like_these_hold_secrets(String name) {
    assertThat(Secrets.nameSaysSecret(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "host",
        "username",
        "passwordless",
        "tokenizer",
        "secretary",
        "key",
        "monkey",
        "uri"
      })
  void names_like_these_do_not(String name) {
    assertThat(Secrets.nameSaysSecret(name)).isFalse();
  }

  @Test
  void a_secret_is_masked_wherever_it_stands_also_in_base64() {
    Secrets secrets = Secrets.of(List.of("hunter2!", "hunter2!more"));
    assertThat(secrets.mask("x hunter2!more y hunter2! z aHVudGVyMiE= end"))
        .isEqualTo("x *** y *** z *** end");
    assertThat(secrets.embeds("postgres://u:hunter2!@h")).isTrue();
    assertThat(secrets.embeds("nothing")).isFalse();
    assertThat(Secrets.of(List.of("abc")).mask("abc")).as("too short to mask").isEqualTo("abc");
  }

  @Test
  void sealed_leaves_keep_their_types_and_never_show_themselves() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("port", 5432L);
    tree.put("password", "hunter2!");
    tree.put(
        "list",
        new ArrayList<>(Arrays.asList(null, new BigInteger("123456789012345678901"), 1.5, false)));
    Object sealed =
        box.sealLeaves(
            tree, (path, value) -> path.equals("password") || value instanceof BigInteger);
    String stored = Json.write(sealed);
    assertThat(stored).doesNotContain("hunter2", "123456789012345678901").contains("\"port\":5432");
    assertThat(sealed.toString()).doesNotContain("hunter2");
    assertThat(box.openLeaves(Json.read(stored, EncryptionContext.MEMORY))).isEqualTo(tree);
    assertThat(Values.masked(sealed).toString())
        .isEqualTo("{port=5432, password=***, list=[null, ***, 1.5, false]}");
  }

  @Test
  void another_key_or_a_changed_text_opens_nothing() {
    Sealed sealed = box.seal("x");
    byte[] other = new byte[32];
    other[0] = 1;
    assertThatThrownBy(() -> new SecretBox(other).open(sealed))
        .hasMessageContaining("is not among the keys of this server");
    String text = sealed.ciphertext();
    Sealed changed =
        new Sealed(text.substring(0, text.length() - 6) + "AAAAA=", EncryptionContext.MEMORY);
    assertThatThrownBy(() -> box.open(changed)).isInstanceOf(IllegalStateException.class);
  }
}
