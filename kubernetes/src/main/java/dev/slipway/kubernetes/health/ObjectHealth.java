package dev.slipway.kubernetes.health;

import dev.slipway.engine.health.Health;

/**
 * What a rule says about an object.
 *
 * @param status never Failed: that is a verdict on a node
 * @param message why, for people; at most 4 KiB
 */
public record ObjectHealth(Health status, String message) {
  private static final int LONGEST = 4096;

  public ObjectHealth {
    if (status == Health.FAILED) {
      throw new IllegalArgumentException("Failed is a verdict on a node, no rule says it");
    }
    message = message.length() > LONGEST ? shortened(message) : message;
  }

  private static String shortened(String message) {
    int end = LONGEST - 1;
    return message.substring(0, Character.isHighSurrogate(message.charAt(end - 1)) ? end - 1 : end)
        + "…";
  }

  public static ObjectHealth healthy(String message) {
    return new ObjectHealth(Health.HEALTHY, message);
  }

  public static ObjectHealth progressing(String message) {
    return new ObjectHealth(Health.PROGRESSING, message);
  }

  public static ObjectHealth degraded(String message) {
    return new ObjectHealth(Health.DEGRADED, message);
  }

  public static ObjectHealth suspended(String message) {
    return new ObjectHealth(Health.SUSPENDED, message);
  }

  public static ObjectHealth unknown(String message) {
    return new ObjectHealth(Health.UNKNOWN, message);
  }
}
