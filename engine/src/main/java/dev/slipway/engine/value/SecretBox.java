package dev.slipway.engine.value;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Seals secrets with AES-256-GCM under the keys of a {@link KeyRing}, which live outside the
 * database. The nonce is derived from key, context and value, so equal secrets of one row have
 * equal ciphertexts and trees that hold them can be compared.
 */
public final class SecretBox {
  private static final String PLAIN = "v1:";
  private static final String BOUND = "v2:";

  private volatile KeyRing keys;
  private final SecureRandom random = new SecureRandom();

  /** A box with this key of 32 bytes. */
  public SecretBox(byte[] key) {
    this(KeyRing.of(key));
  }

  public SecretBox(KeyRing keys) {
    this.keys = keys;
  }

  /** The keys in use. */
  public KeyRing keys() {
    return keys;
  }

  /** Replaces the keys; from now on values are sealed with the new primary key. */
  public void use(KeyRing changed) {
    this.keys = changed;
  }

  /** Seals any value (its JSON form), so that types survive. No row holds it yet. */
  public Sealed seal(@Nullable Object value) {
    return seal(value, EncryptionContext.MEMORY);
  }

  /** Seals any value for one row. */
  public Sealed seal(@Nullable Object value, EncryptionContext context) {
    KeyRing ring = keys;
    byte[] clear = Json.write(value).getBytes(StandardCharsets.UTF_8);
    return switch (ring.form()) {
      case PLAIN -> {
        byte[] nonce = new byte[AesGcm.NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] all = AesGcm.encrypt(ring.current(), nonce, EncryptionContext.NONE, clear);
        yield new Sealed(PLAIN + Base64.getEncoder().encodeToString(all), context);
      }
      case BOUND -> {
        byte[] nonce = AesGcm.nonce(ring.current(), context, clear);
        byte[] all = AesGcm.encrypt(ring.current(), nonce, context, clear);
        yield new Sealed(
            BOUND + ring.current().id() + ":" + Base64.getEncoder().encodeToString(all), context);
      }
    };
  }

  /** The value inside; fails when it was sealed under another key, for another row, or changed. */
  public @Nullable Object open(Sealed sealed) {
    String text = sealed.ciphertext();
    if (sealed.context().equals(EncryptionContext.NONE)) {
      throw new IllegalStateException(
          "a value that looks sealed does not come from the database: the key '"
              + Sealed.KEY
              + "' is reserved, use another one");
    }
    if (text.startsWith(PLAIN)) {
      return openPlain(text.substring(PLAIN.length()));
    }
    int colon = text.indexOf(':', BOUND.length());
    if (!text.startsWith(BOUND) || colon < 0) {
      throw new IllegalStateException("a sealed value has an unknown format");
    }
    String id = text.substring(BOUND.length(), colon);
    KeyRing.Key key =
        keys.key(id)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "a sealed value cannot be opened: key "
                            + id
                            + " is not among the keys of this server. Restore the key file that"
                            + " belongs to this database."));
    try {
      return AesGcm.decrypt(
          key, sealed.context(), Base64.getDecoder().decode(text.substring(colon + 1)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(
          "a sealed value cannot be opened: it was sealed for another row than "
              + sealed.context().text()
              + ", or was changed. Restore the row from a backup.",
          e);
    }
  }

  /** Any of the keys may have sealed it: the first releases had one key, and did not name it. */
  private @Nullable Object openPlain(String base64) {
    GeneralSecurityException last = null;
    for (KeyRing.Key key : keys.all()) {
      try {
        return AesGcm.decrypt(key, EncryptionContext.NONE, Base64.getDecoder().decode(base64));
      } catch (GeneralSecurityException e) {
        last = e;
      }
    }
    throw new IllegalStateException(
        "a sealed value cannot be opened: the server's secret key is not the one it was sealed"
            + " with. Restore the key file that belongs to this database.",
        last);
  }

  /**
   * The tree with every sealed leaf sealed for this row and under the present key: what a store
   * writes. Leaves that are so already stay as they are.
   */
  public @Nullable Object bind(@Nullable Object tree, EncryptionContext context) {
    return Values.mapLeaves(
        tree, leaf -> leaf instanceof Sealed sealed ? bind(sealed, context) : leaf);
  }

  private Sealed bind(Sealed sealed, EncryptionContext context) {
    return fits(sealed, context) ? sealed : seal(open(sealed), context);
  }

  /** Whether the leaf may be stored in that row as it is. */
  public boolean fits(Sealed sealed, EncryptionContext context) {
    KeyRing ring = keys;
    return switch (ring.form()) {
      case PLAIN -> sealed.ciphertext().startsWith(PLAIN);
      case BOUND ->
          sealed.context().equals(context)
              && sealed.ciphertext().startsWith(BOUND + ring.current().id() + ":");
    };
  }

  /** Seals every leaf for which the test (path of keys joined by dots, value) says so. */
  public @Nullable Object sealLeaves(@Nullable Object value, BiPredicate<String, Object> isSecret) {
    return sealLeaves("", value, isSecret);
  }

  private @Nullable Object sealLeaves(
      String path, @Nullable Object value, BiPredicate<String, Object> isSecret) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, Object> out = new LinkedHashMap<>();
        map.forEach(
            (k, v) ->
                out.put(
                    String.valueOf(k),
                    sealLeaves(path.isEmpty() ? "" + k : path + "." + k, v, isSecret)));
        yield out;
      }
      case List<?> list ->
          list.stream().map(v -> sealLeaves(path, v, isSecret)).collect(Values.toList());
      case Sealed sealed -> sealed;
      case null -> null;
      default -> isSecret.test(path, value) ? seal(value) : value;
    };
  }

  /** A copy of the tree with every sealed leaf opened. */
  public @Nullable Object openLeaves(@Nullable Object value) {
    return Values.mapLeaves(value, leaf -> leaf instanceof Sealed sealed ? open(sealed) : leaf);
  }

  /**
   * A text that is equal for equal values and reveals nothing about them without the key. Used in
   * hashes over trees with secrets.
   */
  public String fingerprint(@Nullable Object value) {
    byte[] mac = KeyRing.hmac(keys.fingerprintKey(), "fingerprint:" + Json.write(value));
    return HexFormat.of().formatHex(mac);
  }
}
