package dev.slipway.engine.resolve;

import dev.slipway.engine.workflow.StepType;

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

  /** That a provider lacks a grant. */
  static Breach ungranted(StepType.Grant list, String value, String provider) {
    return of(
        "providers[].grants." + list.key(),
        "the " + list.singular() + " '" + value + "' is not granted to provider '" + provider + "'",
        "Add it to the provider's grants." + list.key() + " in the configuration.");
  }

  static Breach of(String policy, String what, String hint) {
    return new Breach(policy, what + " (policy " + policy + ")", hint);
  }
}
