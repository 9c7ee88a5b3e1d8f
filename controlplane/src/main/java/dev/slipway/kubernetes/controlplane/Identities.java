package dev.slipway.kubernetes.controlplane;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/**
 * The certificates, keys and tokens of a control plane, made once and kept in a directory that only
 * this user can read. Three authorities: for the API server, for its requests to extension API
 * servers, and for etcd, which accepts only the API server.
 *
 * @param directory where the files are
 */
record Identities(Path directory) {
  private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1");
  private static final List<String> API =
      List.of(
          "localhost",
          "127.0.0.1",
          ControlPlane.FIRST_SERVICE_ADDRESS,
          "kubernetes",
          "kubernetes.default",
          "kubernetes.default.svc",
          "kubernetes.default.svc.cluster.local");

  /** A user that a token stands for, with its group. */
  enum User {
    ADMIN("slipway-admin", "system:masters"),
    CONTROLLER_MANAGER("system:kube-controller-manager", "system:masters"),
    SCHEDULER("system:kube-scheduler", "system:authenticated"),
    KWOK("kwok", "system:masters");

    private final String name;
    private final String group;

    User(String name, String group) {
      this.name = name;
      this.group = group;
    }

    /** The name of its files. */
    String file() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** The identities in that directory; makes them when it is not there. */
  static Identities in(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Path fresh =
          Files.createTempDirectory(
              directory.toAbsolutePath().getParent(),
              ".identities",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      new Identities(fresh).make();
      try {
        Files.move(fresh, directory, StandardCopyOption.ATOMIC_MOVE);
      } catch (FileAlreadyExistsException e) {
        throw new IOException(directory + " appeared while it was made", e);
      }
    }
    return new Identities(directory);
  }

  Path file(String name) {
    return directory.resolve(name);
  }

  String token(User user) throws IOException {
    return Files.readString(file(user.file() + ".token"));
  }

  String authority() throws IOException {
    return Files.readString(file("ca.crt"));
  }

  private void make() throws IOException {
    Authority cluster = new Authority("slipway-embedded");
    write("ca", cluster.own());
    write("apiserver", cluster.issue("kube-apiserver", API));
    Authority proxy = new Authority("slipway-embedded-front-proxy");
    write("front-proxy-ca", proxy.own());
    write("front-proxy-client", proxy.issue("front-proxy-client", List.of()));
    Authority etcd = new Authority("slipway-embedded-etcd");
    write("etcd-ca", etcd.own());
    write("etcd", etcd.issue("etcd", LOOPBACK));
    Files.delete(file("front-proxy-ca.key"));
    Files.delete(file("etcd-ca.key"));
    KeyPair serviceAccounts = Authority.freshKeys();
    Files.writeString(file("service-account.key"), Authority.privateKey(serviceAccounts));
    Files.writeString(file("service-account.pub"), Authority.publicKey(serviceAccounts));
    StringBuilder tokens = new StringBuilder();
    for (User user : User.values()) {
      String token = freshToken();
      String file = user.file();
      Files.writeString(file(file + ".token"), token);
      tokens.append("%s,%s,%s,\"%s\"%n".formatted(token, user.name, file, user.group));
    }
    Files.writeString(file("tokens.csv"), tokens);
  }

  private void write(String name, Authority.Signed signed) throws IOException {
    Files.writeString(file(name + ".crt"), signed.certificate());
    Files.writeString(file(name + ".key"), signed.key());
  }

  private static String freshToken() {
    byte[] bytes = new byte[24];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
