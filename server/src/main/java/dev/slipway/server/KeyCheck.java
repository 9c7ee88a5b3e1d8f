package dev.slipway.server;

import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.SealingKey;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Holds the key in the data directory to the one that the database's secrets are sealed with.
 * Replicas with keys of their own would each fail at what the others sealed.
 */
final class KeyCheck {
  private static final String FINGERPRINTED = "the key of this database";

  private KeyCheck() {}

  /** The box for this database; a {@link StartFailure} when the data directory lacks its key. */
  static SecretBox box(DataDirectory data, SealingKey recorded) {
    Path file = data.resolve("secret.key");
    if (!Files.exists(file) && recorded.fingerprint().isPresent()) {
      throw wrong(file + " is missing");
    }
    SecretBox box = new SecretBox(data.secretKey());
    String own = box.fingerprint(FINGERPRINTED);
    if (!recorded.settle(own).equals(own)) {
      throw wrong(file + " is another key");
    }
    return box;
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
