package dev.slipway.web.access;

import dev.slipway.engine.value.Sha256;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * Creates tokens of 256 random bits. The prefix lets people and scanners recognise a leaked one.
 */
public final class Tokens {
  /** The prefix of API keys. */
  public static final String API_KEY = "slipway_key_";

  /** The prefix of login session tokens. */
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

  /** The hash that is stored instead of the token. */
  public static byte[] hash(String token) {
    return Sha256.of(token);
  }
}
