package dev.slipway.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.git.GitFailure.Kind;
import dev.slipway.testbed.GitRepository;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.sshd.common.config.keys.AuthorizedKeyEntry;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.PublicKeyEntryResolver;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.keyprovider.SimpleGeneratorHostKeyProvider;
import org.apache.sshd.server.shell.ProcessShellFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real ssh server that runs the real git, with keys of the real ssh-keygen. */
class SshTest {
  @TempDir Path directory;
  private GitRepository repository;
  private SshServer server;
  private String knownHosts;

  @BeforeEach
  void start() throws Exception {
    Ed25519.ensure(); // before the server of this test lists its keys
    repository = GitRepository.create(directory, "providers");
    keygen("right", "");
    keygen("wrong", "");
    keygen("sealed", "open-sesame");
    keygen("old", "");
    server = SshServer.setUpDefaultServer();
    server.setHost("127.0.0.1");
    server.setPort(0);
    server.setKeyPairProvider(new SimpleGeneratorHostKeyProvider(directory.resolve("host-key")));
    List<String> allowed = List.of(read("right.pub"), read("sealed.pub"), read("old.pub"));
    server.setPublickeyAuthenticator(
        (user, key, session) ->
            user.equals("git") && allowed.stream().anyMatch(line -> same(line, key)));
    server.setCommandFactory(
        (channel, command) ->
            new ProcessShellFactory(command, "sh", "-c", command).createShell(channel));
    server.start();
    var host = server.getKeyPairProvider().loadKeys(null).iterator().next().getPublic();
    knownHosts = "[127.0.0.1]:" + server.getPort() + " " + PublicKeyEntry.toString(host) + "\n";
  }

  @AfterEach
  void stop() throws IOException {
    server.stop(true);
  }

  private static boolean same(String line, java.security.PublicKey key) {
    try {
      return KeyUtils.compareKeys(
          AuthorizedKeyEntry.parseAuthorizedKeyEntry(line)
              .resolvePublicKey(null, PublicKeyEntryResolver.IGNORING),
          key);
    } catch (Exception e) {
      return false;
    }
  }

  private void keygen(String name, String passphrase) throws Exception {
    Process process =
        new ProcessBuilder(
                "ssh-keygen",
                "-q",
                "-t",
                switch (name) {
                  case "sealed" -> "ecdsa";
                  case "old" -> "rsa";
                  default -> "ed25519";
                },
                "-N",
                passphrase,
                "-f",
                directory.resolve(name).toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(said).isZero();
  }

  private String read(String name) throws IOException {
    return Files.readString(directory.resolve(name));
  }

  private Remote remote(GitCredentials credentials) {
    String url = "ssh://git@127.0.0.1:" + server.getPort() + repository.bare();
    return new Remote(
        RepositoryUrl.parse(url, RepositoryUrl.Allow.REMOTE), credentials, GitLimits.USUAL);
  }

  @Test
  void the_right_key_fetches_and_nothing_else_gets_in() throws IOException {
    String first = repository.write("a", "1").commit("first");
    Remote right = remote(new GitCredentials.PrivateKey(read("right").strip(), null, knownHosts));
    assertThat(right.refs().branches()).containsEntry("main", first);
    try (BoundedRepository copy =
        BoundedRepository.open(directory.resolve("copy"), GitLimits.USUAL)) {
      right.fetch(copy, first);
      assertThat(copy.getObjectDatabase().has(org.eclipse.jgit.lib.ObjectId.fromString(first)))
          .isTrue();
    }
    Remote sealed =
        remote(new GitCredentials.PrivateKey(read("sealed"), "open-sesame", knownHosts));
    assertThat(sealed.refs().branches()).containsKey("main");

    Remote old = remote(new GitCredentials.PrivateKey(read("old"), null, knownHosts));
    assertThat(old.refs().branches()).containsKey("main");

    refused(new GitCredentials.PrivateKey(read("wrong"), null, knownHosts), Kind.AUTHENTICATION);
    refused(GitCredentials.NONE, Kind.UNTRUSTED_SERVER);
    refused(new GitCredentials.PrivateKey(read("right"), null, ""), Kind.UNTRUSTED_SERVER);
    String other = knownHosts.split(" ")[0] + " " + read("wrong.pub");
    refused(new GitCredentials.PrivateKey(read("right"), null, other), Kind.UNTRUSTED_SERVER);
    refused(new GitCredentials.PrivateKey("nonsense", null, knownHosts), Kind.AUTHENTICATION);
    refused(
        new GitCredentials.PrivateKey(read("sealed"), "guess-this", knownHosts),
        Kind.AUTHENTICATION);
  }

  @Test
  void a_checked_address_is_connected_to_and_the_server_is_known_by_its_name() throws IOException {
    String first = repository.write("a", "1").commit("first");
    RepositoryUrl url =
        RepositoryUrl.parse(
            "ssh://git@code.invalid:" + server.getPort() + repository.bare(),
            RepositoryUrl.Allow.REMOTE);
    String named = knownHosts.replace("127.0.0.1", "code.invalid");
    CheckedAddresses here = new CheckedAddresses(List.of(InetAddress.ofLiteral("127.0.0.1")));
    GitCredentials key = new GitCredentials.PrivateKey(read("right"), null, named);
    assertThat(new Remote(url, key, GitLimits.USUAL, here).refs().branches())
        .containsEntry("main", first);
    GitCredentials byAddress = new GitCredentials.PrivateKey(read("right"), null, knownHosts);
    GitFailure failure =
        catchThrowableOfType(
            GitFailure.class, () -> new Remote(url, byAddress, GitLimits.USUAL, here).refs());
    assertThat(failure.kind()).isEqualTo(Kind.UNTRUSTED_SERVER);
  }

  private void refused(GitCredentials credentials, Kind kind) {
    GitFailure failure = catchThrowableOfType(GitFailure.class, () -> remote(credentials).refs());
    assertThat(failure).as(kind.name()).isNotNull();
    assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(kind);
    String trace = org.assertj.core.util.Throwables.getStackTrace(failure);
    credentials.secrets().stream()
        .filter(s -> !s.equals("nonsense"))
        .forEach(secret -> assertThat(trace).doesNotContain(secret));
  }

  @Test
  void a_repository_that_is_not_there_is_reported() throws IOException {
    GitCredentials key = new GitCredentials.PrivateKey(read("right"), null, knownHosts);
    RepositoryUrl url =
        RepositoryUrl.parse(
            "ssh://git@127.0.0.1:" + server.getPort() + directory.resolve("none.git"),
            RepositoryUrl.Allow.REMOTE);
    GitFailure failure =
        catchThrowableOfType(GitFailure.class, () -> new Remote(url, key, GitLimits.USUAL).refs());
    assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(Kind.NO_REPOSITORY);
  }
}
