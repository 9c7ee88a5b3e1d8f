package dev.slipway.server.api;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.Semaphore;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Password hashes: PBKDF2 with its parameters stored beside the hash, so that they can be raised.
 */
public final class Passwords {
  /** The minimum length. */
  public static final int SHORTEST = 10;

  /** The maximum length; longer ones would only cost time. */
  public static final int LONGEST = 256;

  private static final String FORMAT = "pbkdf2-sha512";
  private static final int ITERATIONS = 210_000;
  private static final int SALT_BYTES = 16;
  private static final int HASH_BITS = 256;

  private final SecureRandom random;

  /** Hashing is slow on purpose; concurrent logins must not take every core. */
  private final Semaphore atOnce = new Semaphore(2);

  /**
   * The hash that passwords of unknown accounts are compared with, so that both take equally long.
   */
  private final String ofNoAccount;

  public Passwords(SecureRandom random) {
    this.random = random;
    this.ofNoAccount = encode(new byte[SALT_BYTES], new byte[HASH_BITS / 8]);
  }

  /** The hash to store. */
  public String hash(String password) {
    byte[] salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    return encode(salt, derive(password, salt, ITERATIONS));
  }

  /** Whether the password matches the hash. */
  public boolean matches(String password, String stored) {
    String[] parts = stored.split("\\$");
    if (parts.length != 4 || !parts[0].equals(FORMAT)) {
      throw new IllegalStateException("a stored password hash has an unknown format");
    }
    byte[] salt = Base64.getDecoder().decode(parts[2]);
    byte[] expected = Base64.getDecoder().decode(parts[3]);
    return MessageDigest.isEqual(expected, derive(password, salt, Integer.parseInt(parts[1])));
  }

  /** Takes as long as a comparison and is always false: for accounts that do not exist. */
  public boolean matchesNoAccount(String password) {
    return matches(password, ofNoAccount) && false;
  }

  private static String encode(byte[] salt, byte[] hash) {
    Base64.Encoder base64 = Base64.getEncoder();
    return FORMAT
        + "$"
        + ITERATIONS
        + "$"
        + base64.encodeToString(salt)
        + "$"
        + base64.encodeToString(hash);
  }

  private byte[] derive(String password, byte[] salt, int iterations) {
    PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, iterations, HASH_BITS);
    atOnce.acquireUninterruptibly();
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512").generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no PBKDF2WithHmacSHA512", e);
    } finally {
      atOnce.release();
      spec.clearPassword();
    }
  }
}
