package dev.slipway.kubernetes.cluster;

import dev.slipway.engine.resolve.ClusterSettings.Access;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Makes clients. Nothing is taken from the environment or the home directory of the server. */
final class ClusterClients {
  private static final int CONNECT_MILLIS = 4_000;

  private ClusterClients() {}

  /**
   * The pod in which this server may run.
   *
   * @param account the files of its service account
   * @param environment where Kubernetes says its address
   */
  record Pod(Path account, Map<String, String> environment) {
    static final Pod OWN =
        new Pod(Path.of("/var/run/secrets/kubernetes.io/serviceaccount"), System.getenv());

    boolean hasAccount() {
      return Files.isReadable(account.resolve("token"))
          && Files.isReadable(account.resolve("ca.crt"));
    }
  }

  /**
   * A client that tries each request once.
   *
   * @throws IllegalArgumentException when the settings cannot be used
   */
  static KubernetesClient client(Access access, Pod pod) {
    Config config = config(access, pod);
    config.setConnectionTimeout(CONNECT_MILLIS);
    config.setRequestTimeout(0);
    config.setRequestRetryBackoffLimit(0);
    config.setUserAgent("slipway");
    try {
      return new KubernetesClientBuilder().withConfig(config).build();
    } catch (KubernetesClientException e) {
      throw new IllegalArgumentException("its certificates or keys cannot be read", e);
    }
  }

  private static Config config(Access access, Pod pod) {
    return switch (access) {
      case Access.Kubeconfig(String text, Optional<String> context) -> kubeconfig(text, context);
      case Access.Token(var server, Optional<String> ca, String token) ->
          direct(server.toString(), ca, () -> token);
      case Access.InCluster() -> inCluster(pod);
    };
  }

  private static Config kubeconfig(String text, Optional<String> context) {
    io.fabric8.kubernetes.api.model.Config file;
    try {
      file = Serialization.unmarshal(text, io.fabric8.kubernetes.api.model.Config.class);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("the kubeconfig cannot be read", e);
    }
    context.ifPresent(file::setCurrentContext);
    String wanted = Objects.toString(file.getCurrentContext(), "");
    if (file.getContexts().stream().noneMatch(known -> wanted.equals(known.getName()))) {
      throw new IllegalArgumentException(
          wanted.isEmpty()
              ? "the kubeconfig has no current context"
              : "the kubeconfig has no context '" + wanted + "'");
    }
    return Config.fromKubeconfig(Serialization.asYaml(file));
  }

  private static Config direct(
      String server, Optional<String> ca, io.fabric8.kubernetes.client.OAuthTokenProvider token) {
    Config config = Config.empty();
    config.setMasterUrl(server.endsWith("/") ? server : server + "/");
    ca.ifPresent(config::setCaCertData);
    config.setOauthTokenProvider(token);
    return config;
  }

  private static Config inCluster(Pod pod) {
    String host = pod.environment().get("KUBERNETES_SERVICE_HOST");
    String port = pod.environment().get("KUBERNETES_SERVICE_PORT");
    if (host == null || port == null || !pod.hasAccount()) {
      throw new IllegalArgumentException("this server does not run in a cluster");
    }
    String name = host.contains(":") ? "[" + host + "]" : host;
    return direct(
        "https://" + name + ":" + port,
        Optional.of(text(pod.account().resolve("ca.crt"))),
        () -> text(pod.account().resolve("token"))); // read for each request: Kubernetes renews it
  }

  private static String text(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("its token cannot be read: " + file, e);
    }
  }
}
