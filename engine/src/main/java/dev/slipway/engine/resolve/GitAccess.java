package dev.slipway.engine.resolve;

import org.jspecify.annotations.Nullable;

/** The credentials of a provider's repository. They never show up in a text. */
public sealed interface GitAccess {

  /** A user with a password or a token; without a user, one that fits tokens is taken. */
  record Password(@Nullable String user, String password) implements GitAccess {
    @Override
    public String toString() {
      return "***";
    }
  }

  /** A private key for ssh, and the keys of the servers that may be trusted, as texts. */
  record PrivateKey(String key, @Nullable String passphrase, String knownHosts)
      implements GitAccess {
    @Override
    public String toString() {
      return "***";
    }
  }
}
