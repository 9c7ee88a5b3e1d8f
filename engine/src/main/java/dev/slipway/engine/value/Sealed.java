package dev.slipway.engine.value;

/**
 * A secret leaf in a tree of values, encrypted. Trees that are stored, logged, planned or shown
 * hold these; only a {@link SecretBox} turns one back. In JSON it is {@code {"$sealed": "v2:..."}};
 * the context is known from the row that the JSON was read from.
 */
public record Sealed(String ciphertext, EncryptionContext context) {
  /** Shown in place of a secret. */
  public static final String MASK = "***";

  /** The one key of its JSON form. */
  public static final String KEY = "$sealed";

  @Override
  public String toString() {
    return MASK;
  }
}
