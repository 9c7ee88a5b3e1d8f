package dev.slipway.steps;

import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.resolve.Grants;
import dev.slipway.engine.value.Values;
import dev.slipway.git.CheckedAddresses;
import dev.slipway.git.GitCredentials;
import dev.slipway.git.GitLimits;
import dev.slipway.git.Remote;
import dev.slipway.git.RepositoryUrl;
import dev.slipway.steps.HostRules.Verdict;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The repository of a git step and the credentials for it: the step's own, or those of the
 * configured Gitea if the repository lies there. The host must be granted to the provider; the host
 * of the configured Gitea always is.
 */
record GitAddress(RepositoryUrl url, GitCredentials credentials, boolean configured) {
  /** Reads a step's config. */
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

  /** Scheme, host and port: credentials of one origin are never sent to another. */
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

  /** The repository at those addresses of its host, which {@link #judge} allowed. */
  Remote remote(List<InetAddress> addresses, Duration left) {
    Duration usual = GitLimits.USUAL.total();
    GitLimits limits = GitLimits.USUAL.within(left.compareTo(usual) < 0 ? left : usual);
    return new Remote(url, credentials, limits, new CheckedAddresses(addresses));
  }

  /** Whether the provider may use it, and at which addresses. */
  Verdict judge(HostRules hosts, Grants grants) {
    return switch (host(hosts, grants)) {
      case Verdict.Refused refused -> refused;
      case Verdict.Allowed allowed when grants.repository(url.text()) -> allowed;
      case Verdict.Allowed _ -> new Verdict.Refused(ungranted(url.text()));
    };
  }

  /** The error for a repository that is not granted to the provider. */
  static StepError ungranted(String address) {
    return StepError.permanent(
        "repository-not-granted",
        "the provider may not use the repository " + address,
        "Add it, or a part of its address that ends in /*, to the provider's grants.repositories in"
            + " the configuration.");
  }

  private Verdict host(HostRules hosts, Grants grants) {
    if (url.isFile()) {
      return grants.files()
          ? new Verdict.Allowed(List.of())
          : new Verdict.Refused(
              StepError.permanent(
                  "host-not-granted",
                  "the provider may not use repositories on the server's disk",
                  "Add '"
                      + Grants.FILES
                      + "' to the provider's grants.hosts in the configuration."));
    }
    String host = Objects.requireNonNull(url.host());
    return configured
        ? hosts.judgeConfigured(host)
        : hosts.judge(URI.create("git://" + host + "/"), grants);
  }
}
