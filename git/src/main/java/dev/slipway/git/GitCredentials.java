package dev.slipway.git;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How we show a repository's server who we are. None of these ever prints its secrets. */
public sealed interface GitCredentials {
  /** The user that goes with a token; the common servers look at the token only. */
  String TOKEN_USER = "git";

  /** Nothing: what everybody may read. */
  GitCredentials NONE = new Anonymous();

  /** What must never be shown. */
  List<String> secrets();

  /** Nobody in particular. */
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
