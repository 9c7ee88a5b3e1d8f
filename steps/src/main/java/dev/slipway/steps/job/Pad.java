package dev.slipway.steps.job;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Random bytes that hide the result file on its way through the pod's log: a one-time pad, used for
 * one file of one Job and known to its Secret only.
 */
record Pad(byte[] bytes) {
  /** The largest result file. */
  static final int SIZE = 64 * 1024;

  private static final SecureRandom RANDOM = new SecureRandom();

  static Pad fresh() {
    byte[] bytes = new byte[SIZE];
    RANDOM.nextBytes(bytes);
    return new Pad(bytes);
  }

  /** What was hidden; empty when it is no text in UTF-8. */
  Optional<String> reveal(String hex) {
    byte[] hidden = HexFormat.of().parseHex(hex);
    for (int i = 0; i < hidden.length; i++) {
      hidden[i] ^= bytes[i];
    }
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(hidden)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
