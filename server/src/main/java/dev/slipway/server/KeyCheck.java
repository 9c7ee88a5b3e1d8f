package dev.slipway.server;

import dev.slipway.engine.value.KeyRing;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.SealingKey;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares the key in the data directory with the one that seals the database's secrets. Replicas
 * with different keys could not open each other's secrets.
 */
final class KeyCheck {
  private static final String FINGERPRINTED = "the key of this database";

  private KeyCheck() {}

  /**
   * The secret box for this database; a {@link StartFailure} when the data directory lacks its key.
   */
  static SecretBox box(DataDirectory data, SealingKey recorded) {
    Path file = data.resolve("secret.key");
    SealingKey.Known known = recorded.known();
    if (!Files.exists(file) && !anyWillDo(known)) {
      throw wrong(file + " is missing");
    }
    KeyRing keys = data.keys();
    SecretBox box = new SecretBox(keys);
    String own = box.fingerprint(FINGERPRINTED);
    if (!opens(box, known) || !recorded.settle(own).equals(own)) {
      throw wrong(file + " is another key");
    }
    recorded
        .sealing()
        .filter(id -> !keys.opens(id))
        .ifPresent(
            id -> {
              throw wrong(file + " lacks key " + id + ", with which secrets are sealed now");
            });
    return box;
  }

  private static boolean anyWillDo(SealingKey.Known known) {
    return switch (known) {
      case SealingKey.Known.Recorded recorded -> false;
      case SealingKey.Known.Unrecorded unrecorded -> unrecorded.samples().isEmpty();
      case SealingKey.Known.Lost lost -> true;
    };
  }

  /** One match is enough: a user's value may look like a sealed secret without being one. */
  private static boolean opens(SecretBox box, SealingKey.Known known) {
    return switch (known) {
      case SealingKey.Known.Unrecorded unrecorded ->
          unrecorded.samples().isEmpty()
              || unrecorded.samples().stream().anyMatch(sample -> opens(box, sample));
      case SealingKey.Known.Recorded recorded -> true;
      case SealingKey.Known.Lost lost -> true;
    };
  }

  private static boolean opens(SecretBox box, Sealed sample) {
    try {
      box.open(sample);
      return true;
    } catch (IllegalStateException | IllegalArgumentException e) {
      return false;
    }
  }

  private static StartFailure wrong(String what) {
    return StartFailure.surroundings(
        what
            + ": the secrets in this database are sealed with a key that all its replicas share."
            + " Copy secret.key of another replica, or of the backup, to that place with mode"
            + " 0600. If it is lost for good, docs/operations.md says how to go on without.",
        null);
  }
}
