package dev.slipway.git;

import java.util.Arrays;
import org.eclipse.jgit.transport.CredentialItem;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.URIish;

/**
 * Answers a transport's requests for credentials with those of one repository. Declines every other
 * question: an unknown certificate stays untrusted.
 */
final class Keyring extends CredentialsProvider {
  private final GitCredentials credentials;

  Keyring(GitCredentials credentials) {
    this.credentials = credentials;
  }

  @Override
  public boolean isInteractive() {
    return false;
  }

  @Override
  public boolean supports(CredentialItem... items) {
    return credentials instanceof GitCredentials.Password
        && Arrays.stream(items).allMatch(Keyring::known);
  }

  private static boolean known(CredentialItem item) {
    return item instanceof CredentialItem.Username
        || item instanceof CredentialItem.Password
        || item instanceof CredentialItem.InformationalMessage;
  }

  @Override
  public boolean get(URIish uri, CredentialItem... items) {
    if (!(credentials instanceof GitCredentials.Password known) || !supports(items)) {
      return false;
    }
    for (CredentialItem item : items) {
      if (item instanceof CredentialItem.Username user) {
        user.setValue(known.user());
      } else if (item instanceof CredentialItem.Password password) {
        password.setValue(known.password().toCharArray());
      }
    }
    return true;
  }
}
