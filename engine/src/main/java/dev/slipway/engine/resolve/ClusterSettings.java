package dev.slipway.engine.resolve;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Kubernetes cluster of the configuration: how to reach it, and what each team may touch in it.
 *
 * @param impersonate the user as whom steps act, with {@code {team}} for their team
 * @param namespaces patterns for every team
 * @param teams what single teams have beside that
 * @param jobs how steps run as Jobs there; empty when they do not
 */
public record ClusterSettings(
    Access access,
    Optional<String> impersonate,
    List<String> namespaces,
    Map<String, TeamPlace> teams,
    Optional<JobSettings> jobs) {

  /** The cluster that {@code slipway up --cluster embedded} starts, unless one is configured so. */
  public static final String EMBEDDED = "embedded";

  /** How to reach a cluster. None prints its credentials. */
  public sealed interface Access {
    /** A kubeconfig; without a context its current one. */
    record Kubeconfig(String text, Optional<String> context) implements Access {
      @Override
      public String toString() {
        return "a kubeconfig" + context.map(name -> ", context " + name).orElse("");
      }
    }

    /** The cluster in which the server itself runs, with the service account of its pod. */
    record InCluster() implements Access {
      @Override
      public String toString() {
        return "the cluster of this server";
      }
    }

    /** An address and the token of a service account; without a CA those that Java trusts. */
    record Token(URI server, Optional<String> ca, String token) implements Access {
      @Override
      public String toString() {
        return server.toString();
      }
    }
  }

  /** What one team has in a cluster. */
  public record TeamPlace(List<String> namespaces, Optional<String> impersonate) {
    public TeamPlace {
      namespaces = List.copyOf(namespaces);
    }
  }

  public ClusterSettings {
    namespaces = List.copyOf(namespaces);
    teams = Map.copyOf(teams);
  }

  /** One in which no step runs as a Job. */
  public ClusterSettings(
      Access access,
      Optional<String> impersonate,
      List<String> namespaces,
      Map<String, TeamPlace> teams) {
    this(access, impersonate, namespaces, teams, Optional.empty());
  }

  /** The same, in which steps run as Jobs like that. */
  public ClusterSettings with(JobSettings others) {
    return new ClusterSettings(access, impersonate, namespaces, teams, Optional.of(others));
  }

  /** The user as whom steps of the team act; empty for the cluster's own credentials. */
  public Optional<String> userOf(String team) {
    return Optional.ofNullable(teams.get(team))
        .flatMap(TeamPlace::impersonate)
        .or(() -> impersonate)
        .map(user -> user.replace("{team}", team));
  }

  /** How firmly a namespace is a team's. */
  public enum Claim {
    /** The configuration names it for the team. */
    NAMED,
    /** A pattern allows it, so the namespace itself has to be the team's. */
    MATCHED,
    NONE
  }

  /** Whether the team may use a namespace of that name. */
  public Claim claim(String team, String namespace) {
    List<String> own =
        Optional.ofNullable(teams.get(team)).map(TeamPlace::namespaces).orElse(List.of());
    if (own.contains(namespace)) {
      return Claim.NAMED;
    }
    boolean matched =
        own.stream().anyMatch(pattern -> matches(pattern, team, namespace))
            || namespaces.stream().anyMatch(pattern -> matches(pattern, team, namespace));
    return matched && !system(namespace) ? Claim.MATCHED : Claim.NONE;
  }

  private static boolean system(String namespace) {
    return namespace.equals("default") || namespace.startsWith("kube-");
  }

  /** {@code *} stands for any text, {@code {team}} for the team. */
  private static boolean matches(String pattern, String team, String namespace) {
    String text = pattern.replace("{team}", team);
    int star = text.indexOf('*');
    return star < 0
        ? text.equals(namespace)
        : namespace.length() >= text.length() - 1
            && namespace.startsWith(text.substring(0, star))
            && namespace.endsWith(text.substring(star + 1));
  }
}
