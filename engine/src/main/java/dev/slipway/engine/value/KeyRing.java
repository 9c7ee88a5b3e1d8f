package dev.slipway.engine.value;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one database: one that seals, during a rotation the next one, any number that still
 * open what was sealed before, and one for fingerprints, which stays the same when the sealing key
 * is rotated, because hashes over trees with secrets are compared over years.
 */
public final class KeyRing {
  /** Length of a key. */
  public static final int KEY_BYTES = 32;

  private final Key sealing;
  private final Optional<Key> next;
  private final List<Key> opening;
  private final byte[] fingerprint;
  private final Form form;

  /** How new ciphertexts are written. */
  enum Form {
    /** Without key id and context, so that replicas of the releases before can open them. */
    PLAIN,
    /** With key id and context. */
    BOUND
  }

  /** A key with the id that ciphertexts name it by, derived from the key itself. */
  record Key(String id, byte[] bytes) {
    static Key of(byte[] bytes) {
      if (bytes.length != KEY_BYTES) {
        throw new IllegalArgumentException(
            "a key has " + bytes.length + " bytes, not " + KEY_BYTES);
      }
      return new Key(HexFormat.of().formatHex(hmac(bytes, "id")).substring(0, 12), bytes);
    }

    SecretKeySpec aes() {
      return new SecretKeySpec(bytes, "AES");
    }
  }

  KeyRing(Key sealing, Optional<Key> next, List<Key> opening, byte[] fingerprint, Form form) {
    this.sealing = sealing;
    this.next = next;
    this.opening = opening;
    this.fingerprint = fingerprint;
    this.form = form;
  }

  /** A ring of one key, which also makes the fingerprints. */
  public static KeyRing of(byte[] key) {
    return new KeyRing(Key.of(key), Optional.empty(), List.of(), key, Form.BOUND);
  }

  /** A new ring with separate keys. */
  public static KeyRing fresh(byte[] key, byte[] fingerprint) {
    return new KeyRing(
        Key.of(key), Optional.empty(), List.of(), Key.of(fingerprint).bytes(), Form.BOUND);
  }

  /** Reads the text form; an {@link IllegalArgumentException} says what is wrong, not the keys. */
  public static KeyRing parse(String text) {
    return KeyRingText.parse(text);
  }

  /** The text form. */
  public String text() {
    return KeyRingText.of(this);
  }

  /** This ring with a key that will seal next: the first step of a rotation. */
  public KeyRing withNext(byte[] key) {
    return new KeyRing(sealing, Optional.of(Key.of(key)), opening, fingerprint, Form.BOUND);
  }

  /** This ring with its next key as the one that seals; the former one still opens. */
  public KeyRing promoted() {
    List<Key> former = new ArrayList<>(opening);
    former.add(sealing);
    return new KeyRing(
        next.orElseThrow(), Optional.empty(), List.copyOf(former), fingerprint, Form.BOUND);
  }

  /** This ring without the keys that only open: the last step of a rotation. */
  public KeyRing retired() {
    return new KeyRing(sealing, next, List.of(), fingerprint, form);
  }

  /** The id of the key that will seal next, during a rotation. */
  public Optional<String> next() {
    return next.map(Key::id);
  }

  /** Whether it opens what the key of that id has sealed. */
  public boolean opens(String id) {
    return key(id).isPresent();
  }

  /** Whether ciphertexts name their key and belong to one row: so since the first rotation. */
  public boolean bound() {
    return form == Form.BOUND;
  }

  /** The id of the key that seals. */
  public String sealing() {
    return sealing.id();
  }

  /** The ids of the keys that open and do not seal. */
  public List<String> opening() {
    return all().stream().skip(1).map(Key::id).toList();
  }

  Optional<Key> nextKey() {
    return next;
  }

  List<Key> openingKeys() {
    return opening;
  }

  Key current() {
    return sealing;
  }

  Form form() {
    return form;
  }

  byte[] fingerprintKey() {
    return fingerprint;
  }

  Optional<Key> key(String id) {
    return all().stream().filter(k -> k.id().equals(id)).findFirst();
  }

  /** Every key, the one that seals first. */
  List<Key> all() {
    List<Key> all = new ArrayList<>();
    all.add(sealing);
    next.ifPresent(all::add);
    all.addAll(opening);
    return all;
  }

  /** Compares in constant time, since it compares keys. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyRing ring
        && MessageDigest.isEqual(
            text().getBytes(StandardCharsets.US_ASCII),
            ring.text().getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public int hashCode() {
    return sealing.id().hashCode();
  }

  /** Ids only, never keys. */
  @Override
  public String toString() {
    return "seals with key " + sealing.id() + ", opens with " + opening();
  }

  static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }
}
