package dev.slipway.kubernetes.controlplane;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;

/**
 * What a client needs to know, as a kubeconfig file.
 *
 * @param server the URL of the API server
 * @param authority the certificate of its authority, as PEM
 * @param user the name of the user in the file
 * @param namespace the namespace of commands that name none
 */
public record Kubeconfig(
    String server, String authority, String user, String token, String namespace) {
  /** The same for another user. */
  public Kubeconfig as(String otherUser, String otherToken, String otherNamespace) {
    return new Kubeconfig(server, authority, otherUser, otherToken, otherNamespace);
  }

  /** Its text. */
  public String text() {
    String ca = Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.UTF_8));
    return """
        apiVersion: v1
        kind: Config
        clusters:
        - name: embedded
          cluster:
            server: %s
            certificate-authority-data: %s
        users:
        - name: %s
          user:
            token: %s
        contexts:
        - name: embedded
          context:
            cluster: embedded
            user: %s
            namespace: %s
        current-context: embedded
        """
        .formatted(server, ca, user, token, user, namespace);
  }

  /** Writes it so that only this user can read it and no reader sees half of it. */
  public Path write(Path file) throws IOException {
    Path fresh =
        Files.createTempFile(
            file.toAbsolutePath().getParent(),
            ".kubeconfig",
            "",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(fresh, text());
    return Files.move(
        fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public String toString() {
    return "Kubeconfig of " + user + " for " + server;
  }
}
