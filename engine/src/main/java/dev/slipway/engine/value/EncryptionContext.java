package dev.slipway.engine.value;

import java.util.UUID;

/**
 * The row that a sealed value belongs to. It is authenticated with the ciphertext and not stored in
 * it, so a ciphertext that is copied to another row does not open there.
 */
public record EncryptionContext(String text) {
  /** Of values that this server has sealed and no row holds yet. */
  public static final EncryptionContext MEMORY = new EncryptionContext("memory");

  /**
   * The context of text that looks like a sealed value in a document, a request or the output of a
   * step. It is never opened: a caller who has a ciphertext must not get it decrypted by sending
   * it.
   */
  public static final EncryptionContext NONE = new EncryptionContext("");

  public static EncryptionContext run(UUID id) {
    return new EncryptionContext("runs/" + id);
  }

  public static EncryptionContext step(UUID run, String name) {
    return new EncryptionContext("steps/" + run + "/" + name);
  }

  public static EncryptionContext environment(String name) {
    return new EncryptionContext("environments/" + name);
  }

  /** Of a state of a Terraform module. */
  public static EncryptionContext moduleState(String workspace) {
    return new EncryptionContext("module_states/" + workspace);
  }

  /** Of the kept reply to a request with an idempotency key. */
  public static EncryptionContext reply(String user, String key, String scope) {
    return new EncryptionContext(
        "idempotency_keys/" + user.length() + "/" + user + "/" + key.length() + "/" + key + scope);
  }
}
