package dev.slipway.kubernetes.health;

/** One entry of an object's {@code status.conditions}. */
public record Condition(String type, String status, String reason, String message) {
  public boolean isTrue() {
    return status.equals("True");
  }

  public boolean isFalse() {
    return status.equals("False");
  }

  /** Reason and message, for people. */
  public String text() {
    if (reason.isEmpty() || message.isEmpty()) {
      return reason + message;
    }
    return reason + ": " + message;
  }
}
