package dev.slipway.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** Tokens of 256 random bits. The prefix lets people and scanners recognise a leaked one. */
public final class Tokens {
  /** Begins every API key. */
  public static final String API_KEY = "slipway_key_";

  /** Begins every token of a login session. */
  public static final String SESSION = "slipway_session_";

  private static final int BYTES = 32;

  private final SecureRandom random;

  public Tokens(SecureRandom random) {
    this.random = random;
  }

  /** A new token. */
  public String create(String prefix) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** What is stored of a token. */
  public static byte[] hash(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }
}
