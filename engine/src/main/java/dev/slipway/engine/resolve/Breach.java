package dev.slipway.engine.resolve;

/**
 * Something that a policy forbids.
 *
 * @param policy the key in the configuration
 * @param message what is forbidden, in one phrase that names the policy
 * @param hint what to do about it
 */
public record Breach(String policy, String message, String hint) {
  /** The code under which it is reported everywhere. */
  public static final String CODE = "policy-refused";

  static Breach of(String policy, String what, String hint) {
    return new Breach(policy, what + " (policy " + policy + ")", hint);
  }
}
