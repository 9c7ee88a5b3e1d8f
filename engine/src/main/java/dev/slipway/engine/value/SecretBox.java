package dev.slipway.engine.value;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Seals secrets with AES-256-GCM under one key. The key lives outside the database. */
public final class SecretBox {
  private static final String VERSION = "v1:";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  private final SecretKeySpec key;
  private final SecureRandom random = new SecureRandom();

  /** A box with this key of 32 bytes. */
  public SecretBox(byte[] key) {
    if (key.length != 32) {
      throw new IllegalArgumentException("the secret key has " + key.length + " bytes, not 32");
    }
    this.key = new SecretKeySpec(key, "AES");
  }

  /** Seals any value (its JSON form), so that types survive. */
  public Sealed seal(Object value) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    byte[] clear = Json.write(value).getBytes(StandardCharsets.UTF_8);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(clear);
      byte[] all = ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed).array();
      return new Sealed(VERSION + Base64.getEncoder().encodeToString(all));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot seal a secret", e);
    }
  }

  /** The value inside; fails when it was sealed under another key or was changed. */
  public Object open(Sealed sealed) {
    if (!sealed.ciphertext().startsWith(VERSION)) {
      throw new IllegalStateException("a sealed value has an unknown format");
    }
    byte[] all = Base64.getDecoder().decode(sealed.ciphertext().substring(VERSION.length()));
    byte[] nonce = java.util.Arrays.copyOf(all, NONCE_BYTES);
    try {
      byte[] clear =
          cipher(Cipher.DECRYPT_MODE, nonce).doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
      return Json.read(new String(clear, StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(
          "a sealed value cannot be opened: the server's secret key is not the one it was sealed"
              + " with. Restore the key file that belongs to this database.",
          e);
    }
  }

  /** Seals every leaf for which the test (path of keys joined by dots, value) says so. */
  public Object sealLeaves(Object value, BiPredicate<String, Object> isSecret) {
    return sealLeaves("", value, isSecret);
  }

  private Object sealLeaves(String path, Object value, BiPredicate<String, Object> isSecret) {
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
  public Object openLeaves(Object value) {
    return Values.mapLeaves(value, leaf -> leaf instanceof Sealed sealed ? open(sealed) : leaf);
  }

  /**
   * A text that is equal for equal values and tells nothing about them without the key: what hashes
   * over trees with secrets are made of.
   */
  public String fingerprint(Object value) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key.getEncoded(), "HmacSHA256"));
      byte[] clear = ("fingerprint:" + Json.write(value)).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(mac.doFinal(clear));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot fingerprint a secret", e);
    }
  }

  private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    return cipher;
  }
}
