package dev.slipway.git;

import dev.slipway.git.GitFailure.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.sshd.client.config.hosts.KnownHostEntry;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntryResolver;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.SshConfigStore;
import org.eclipse.jgit.transport.SshConstants;
import org.eclipse.jgit.transport.sshd.ServerKeyDatabase;
import org.eclipse.jgit.transport.sshd.SshdSessionFactory;
import org.eclipse.jgit.transport.sshd.SshdSessionFactoryBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Ssh sessions with the given key only: no agent, no keys and no settings of the server's operating
 * system user, and only servers whose host keys are known.
 */
final class SshAccess {
  private SshAccess() {}

  static SshdSessionFactory sessions(
      RepositoryUrl url, GitCredentials credentials, CheckedAddresses addresses) {
    Ed25519.ensure();
    boolean byKey = credentials instanceof GitCredentials.PrivateKey;
    List<KeyPair> keys = keys(url, credentials);
    return new SshdSessionFactoryBuilder()
        .setHomeDirectory(Isolation.home())
        .setSshDirectory(Isolation.home())
        .setPreferredAuthentications(byKey ? "publickey" : "password,keyboard-interactive")
        .setConfigStoreFactory((home, file, user) -> new NoSettings(addresses))
        .setDefaultIdentities(directory -> List.of())
        .setDefaultKnownHostsFiles(directory -> List.of())
        .setDefaultKeysProvider(directory -> keys)
        .setServerKeyDatabase((home, directory) -> known(url, credentials))
        .setConnectorFactory(null)
        .build(null);
  }

  private static List<KeyPair> keys(RepositoryUrl url, GitCredentials credentials) {
    if (!(credentials instanceof GitCredentials.PrivateKey given)) {
      return List.of();
    }
    FilePasswordProvider passphrase =
        given.passphrase() == null
            ? FilePasswordProvider.EMPTY
            : FilePasswordProvider.of(given.passphrase());
    // a secret file often lacks its last line end, without which the format is not recognized
    String text = given.key().strip() + "\n";
    try (InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))) {
      Iterable<KeyPair> read =
          SecurityUtils.loadKeyPairIdentities(
              null, NamedResource.ofName("private key"), in, passphrase);
      List<KeyPair> keys = new ArrayList<>();
      if (read != null) {
        read.forEach(keys::add);
      }
      if (!keys.isEmpty()) {
        return keys;
      }
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      // its message may quote the key, so it is left out
    }
    throw new GitFailure(
        Kind.AUTHENTICATION,
        "the private key for " + url + " cannot be read",
        "Give the text of an OpenSSH or PEM private key, and its passphrase if it has one.");
  }

  /** Looks host keys up by the name in the URL: the connection itself may use a checked address. */
  private static KnownServers known(RepositoryUrl url, GitCredentials credentials) {
    String text = credentials instanceof GitCredentials.PrivateKey key ? key.knownHosts() : "";
    return new KnownServers(String.valueOf(url.host()).replaceAll("[\\[\\]]", ""), text);
  }

  /** Replaces ~/.ssh/config: only the address to connect to, where one was checked. */
  private record NoSettings(CheckedAddresses addresses) implements SshConfigStore {
    private static final int SSH_PORT = 22;

    @Override
    public HostConfig lookup(String host, int port, @Nullable String user) {
      return addresses.isEmpty()
          ? EMPTY_CONFIG
          : new At(addresses.reachable(port > 0 ? port : SSH_PORT).getHostAddress());
    }

    @Override
    public HostConfig lookupDefault(String host, int port, @Nullable String user) {
      return lookup(host, port, user);
    }
  }

  /** The single setting {@code HostName}. */
  private record At(String address) implements SshConfigStore.HostConfig {
    @Override
    public @Nullable String getValue(String key) {
      return key.equalsIgnoreCase(SshConstants.HOST_NAME) ? address : null;
    }

    @Override
    public List<String> getValues(String key) {
      return List.of();
    }

    @Override
    public Map<String, String> getOptions() {
      return Map.of(SshConstants.HOST_NAME, address);
    }

    @Override
    public Map<String, List<String>> getMultiValuedOptions() {
      return Map.of();
    }
  }

  /** The servers of a known_hosts text. */
  private record KnownServers(String host, String text) implements ServerKeyDatabase {
    @Override
    public List<PublicKey> lookup(
        String address, InetSocketAddress remote, Configuration configuration) {
      return keysOf(address, remote, "");
    }

    @Override
    public boolean accept(
        String address,
        InetSocketAddress remote,
        PublicKey key,
        Configuration configuration,
        CredentialsProvider provider) {
      boolean revoked =
          keysOf(address, remote, "revoked").stream().anyMatch(k -> KeyUtils.compareKeys(k, key));
      return !revoked
          && keysOf(address, remote, "").stream().anyMatch(k -> KeyUtils.compareKeys(k, key));
    }

    private List<PublicKey> keysOf(String address, InetSocketAddress remote, String marker) {
      List<PublicKey> keys = new ArrayList<>();
      try (InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))) {
        for (KnownHostEntry entry : KnownHostEntry.readKnownHostEntries(in, true)) {
          String marked = entry.getMarker() == null ? "" : entry.getMarker();
          if (marked.equals(marker) && entry.isHostMatch(host, remote.getPort())) {
            keys.add(entry.getKeyEntry().resolvePublicKey(null, PublicKeyEntryResolver.IGNORING));
          }
        }
      } catch (IOException | GeneralSecurityException | RuntimeException e) {
        return List.of();
      }
      keys.removeIf(key -> key == null);
      return keys;
    }
  }
}
