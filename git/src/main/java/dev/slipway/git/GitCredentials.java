package dev.slipway.git;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The credentials for a repository's server. Their {@code toString} never contains secrets. */
public sealed interface GitCredentials {
  /** The user name sent with a token; the common servers ignore it. */
  String TOKEN_USER = "git";

  /** No credentials, for public repositories. */
  GitCredentials NONE = new Anonymous();

  /** Texts that must never be shown. */
  List<String> secrets();

  record Anonymous() implements GitCredentials {
    @Override
    public List<String> secrets() {
      return List.of();
    }
  }

  /** A user with a password, or with a token in its place. */
  record Password(String user, String password) implements GitCredentials {
    @Override
    public List<String> secrets() {
      return List.of(password);
    }

    @Override
    public String toString() {
      return "password of " + user;
    }
  }

  /**
   * A private key for ssh, as the text of its file. Without {@code knownHosts}, also the text of
   * such a file, no server is trusted.
   */
  record PrivateKey(String key, @Nullable String passphrase, String knownHosts)
      implements GitCredentials {
    @Override
    public List<String> secrets() {
      return passphrase == null ? List.of(key) : List.of(key, passphrase);
    }

    @Override
    public String toString() {
      return "private key";
    }
  }

  /** A token, with the user that common servers expect beside it. */
  static GitCredentials token(String token) {
    return new Password(TOKEN_USER, token);
  }
}
