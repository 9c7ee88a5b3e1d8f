package dev.slipway.kubernetes.workload;

import dev.slipway.engine.value.Secrets;
import java.util.function.UnaryOperator;

/**
 * What is secret in a workload.
 *
 * @param secrets of the run that applies it
 * @param digest a keyed digest: equal texts have equal ones, and no text can be guessed from one
 */
public record Secrecy(Secrets secrets, UnaryOperator<String> digest) {
  /** Whether a variable is secret by its name or by what it holds. */
  boolean variable(String name, String value) {
    return Secrets.nameSaysSecret(name) || secrets.embeds(value);
  }

  boolean content(String text) {
    return secrets.embeds(text);
  }
}
