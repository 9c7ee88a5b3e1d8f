package dev.slipway.steps;

import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.resolve.Grants;
import dev.slipway.engine.value.Values;
import dev.slipway.git.GitCredentials;
import dev.slipway.git.GitLimits;
import dev.slipway.git.Remote;
import dev.slipway.git.RepositoryUrl;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The repository that a git step means, and how to get in: with the step's own credentials, else,
 * for the Gitea of the configuration, with that one's. The host must be granted; that of the
 * configured Gitea is.
 */
record GitAddress(RepositoryUrl url, GitCredentials credentials, boolean configured) {
  /** What grants.hosts must hold for repositories on the server's own disk. */
  private static final String FILES = "file://";

  /** Of a step's config. */
  static GitAddress of(Map<String, Object> config, Map<String, Object> gitea) {
    RepositoryUrl url =
        RepositoryUrl.parse(
            Objects.toString(config.get("repository"), ""), RepositoryUrl.Allow.REMOTE_AND_FILES);
    boolean configured = origin(url.text()).equals(origin(Objects.toString(gitea.get("url"), "-")));
    return new GitAddress(
        url,
        given(config.get("credentials"))
            .or(() -> configured ? given(gitea) : Optional.empty())
            .orElse(GitCredentials.NONE),
        configured);
  }

  /** Scheme, host and port: credentials of one are never shown to another. */
  private static String origin(String url) {
    try {
      URI uri = URI.create(url.strip());
      int standard = "https".equals(uri.getScheme()) ? 443 : 80;
      int port = uri.getPort() < 0 ? standard : uri.getPort();
      return uri.getScheme() + "://" + uri.getHost() + ":" + port;
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  private static Optional<GitCredentials> given(@Nullable Object written) {
    if (written instanceof String token) {
      return token.isBlank() ? Optional.empty() : Optional.of(GitCredentials.token(token.strip()));
    }
    Map<String, Object> map = written instanceof Map<?, ?> given ? Values.map(given) : Map.of();
    Optional<String> password = text(map, "password").or(() -> text(map, "token"));
    Optional<String> key = text(map, "privateKey").or(() -> text(map, "sshKey"));
    String user =
        text(map, "username").or(() -> text(map, "user")).orElse(GitCredentials.TOKEN_USER);
    if (password.isPresent()) {
      return Optional.of(new GitCredentials.Password(user, password.get()));
    }
    return key.map(
        text ->
            new GitCredentials.PrivateKey(
                text, text(map, "passphrase").orElse(null), text(map, "knownHosts").orElse("")));
  }

  private static Optional<String> text(Map<String, Object> map, String key) {
    return Optional.ofNullable(map.get(key)).map(String::valueOf).filter(t -> !t.isBlank());
  }

  Remote remote(Duration left) {
    Duration usual = GitLimits.USUAL.total();
    return new Remote(
        url, credentials, GitLimits.USUAL.within(left.compareTo(usual) < 0 ? left : usual));
  }

  /** Why it may not be used; null when it may. */
  @Nullable StepError refusal(HostRules hosts, Grants grants) {
    StepError refused = hostRefusal(hosts, grants);
    return refused == null && !grants.repository(url.text()) ? ungranted(url.text()) : refused;
  }

  /** That a repository is not granted. */
  static StepError ungranted(String address) {
    return StepError.permanent(
        "repository-not-granted",
        "the provider may not use the repository " + address,
        "Add it, or a part of its address that ends in /*, to the provider's grants.repositories in"
            + " the configuration.");
  }

  private @Nullable StepError hostRefusal(HostRules hosts, Grants grants) {
    if (url.isFile()) {
      return grants.hosts().contains(FILES)
          ? null
          : StepError.permanent(
              "host-not-granted",
              "the provider may not use repositories on the server's disk",
              "Add '" + FILES + "' to the provider's grants.hosts in the configuration.");
    }
    String host = Objects.requireNonNull(url.host());
    return configured
        ? hosts.refusalOfConfigured(host)
        : hosts.refusal(URI.create("git://" + host + "/"), grants);
  }
}
