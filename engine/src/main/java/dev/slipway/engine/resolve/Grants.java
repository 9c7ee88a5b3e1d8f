package dev.slipway.engine.resolve;

import dev.slipway.engine.workflow.StepType;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration lets a provider's steps use; what is not listed is denied. A host is a
 * name, may begin with {@code *.}, or is an address or network; private addresses are reached only
 * if a grant names them literally. A repository may end in {@code /*}.
 *
 * @param kinds kinds of Kubernetes objects that need a grant
 * @param caller grants of the workflow that calls; both have to allow what hosts and repositories
 *     match by a pattern
 */
public record Grants(
    List<String> secrets,
    List<String> clusters,
    List<String> kinds,
    List<String> hosts,
    List<String> connections,
    List<String> templates,
    List<String> repositories,
    List<String> projects,
    @Nullable Grants caller) {
  /** What {@code hosts} holds for repositories on the server's own disk. */
  public static final String FILES = "file://";

  /** Nothing. */
  public static final Grants NONE = ofHosts();

  public Grants {
    secrets = List.copyOf(secrets);
    clusters = List.copyOf(clusters);
    kinds = List.copyOf(kinds);
    hosts = List.copyOf(hosts);
    connections = List.copyOf(connections);
    templates = List.copyOf(templates);
    repositories = List.copyOf(repositories);
    projects = List.copyOf(projects);
  }

  /** These hosts and nothing else. */
  public static Grants ofHosts(String... hosts) {
    List<String> none = List.of();
    return new Grants(none, none, none, List.of(hosts), none, none, none, none, null);
  }

  /** The same with these secrets instead. */
  public Grants withSecrets(List<String> others) {
    return new Grants(
        others, clusters, kinds, hosts, connections, templates, repositories, projects, caller);
  }

  /** The same with these connections instead. */
  public Grants withConnections(String... others) {
    return new Grants(
        secrets,
        clusters,
        kinds,
        hosts,
        List.of(others),
        templates,
        repositories,
        projects,
        caller);
  }

  /** The same with these repositories instead. */
  public Grants withRepositories(String... others) {
    return new Grants(
        secrets, clusters, kinds, hosts, connections, templates, List.of(others), projects, caller);
  }

  /** The same with these clusters, and kinds of objects that need a grant, instead. */
  public Grants withClusters(List<String> others, List<String> otherKinds) {
    return new Grants(
        secrets, others, otherKinds, hosts, connections, templates, repositories, projects, caller);
  }

  /** What a workflow has that is called by one with other grants: what both have. */
  public Grants calledBy(Grants other) {
    return new Grants(
        both(secrets, other.secrets),
        both(clusters, other.clusters),
        both(kinds, other.kinds),
        hosts,
        both(connections, other.connections),
        both(templates, other.templates),
        repositories,
        both(projects, other.projects),
        caller == null ? other : caller.calledBy(other));
  }

  private static List<String> both(List<String> some, List<String> others) {
    return some.stream().filter(others::contains).toList();
  }

  /** Whether a step may connect to that host, written as in a URL. */
  public boolean host(String name) {
    return named(name) && (caller == null || caller.host(name));
  }

  private boolean named(String name) {
    return GrantedAddress.literal(name)
        .map(address -> hosts.contains("*") || literally(address))
        .orElseGet(() -> hosts.stream().anyMatch(granted -> names(granted, name)));
  }

  /** Whether a step may use repositories on the server's own disk, which no wildcard grants. */
  public boolean files() {
    return hosts.contains(FILES) && (caller == null || caller.files());
  }

  /** Whether a grant names this address literally, alone or within a network. */
  public boolean address(InetAddress address) {
    return literally(address) && (caller == null || caller.address(address));
  }

  private boolean literally(InetAddress address) {
    return hosts.stream().anyMatch(granted -> GrantedAddress.names(granted, address));
  }

  private static boolean names(String granted, String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return granted.equals("*")
        || granted.equalsIgnoreCase(name)
        || granted.startsWith("*.")
            && lower.endsWith(granted.substring(1).toLowerCase(Locale.ROOT));
  }

  /** Whether a kubernetes step may use the cluster of that name. */
  public boolean cluster(String name) {
    return clusters.contains(name);
  }

  /** Whether a kubernetes step may use a kind that needs a grant, written {@code KIND.GROUP}. */
  public boolean kind(String name) {
    return kinds.contains(name);
  }

  /** Whether a sql step may use the connection of that name. */
  public boolean connection(String name) {
    return connections.contains(name);
  }

  /** Whether a step may use the repository at that address. */
  public boolean repository(String address) {
    return repositories.stream().anyMatch(granted -> leads(granted, address))
        && (caller == null || caller.repository(address));
  }

  /** Whether a grant names the repository itself, and not only a pattern that it matches. */
  public boolean repositoryItself(String address) {
    return repositories.stream().anyMatch(granted -> plain(granted).equals(plain(address)))
        && (caller == null || caller.repositoryItself(address));
  }

  private static String plain(String repository) {
    return repository.replaceFirst("(\\.git)?/*$", "");
  }

  /** Addresses are compared without {@code .git}; a way up in one could lead out of a pattern. */
  private static boolean leads(String granted, String address) {
    String wanted = plain(address);
    if (granted.equals("*")) {
      return true;
    }
    return granted.endsWith("/*")
        ? wanted.startsWith(granted.substring(0, granted.length() - 1))
            && !wanted.contains("/..")
            && !wanted.contains("%")
        : plain(granted).equals(wanted);
  }

  /** Whether a list names the value. */
  boolean allows(StepType.Grant list, String value) {
    return switch (list) {
      case CLUSTERS -> clusters.contains(value);
      case CONNECTIONS -> connection(value);
      case TEMPLATES -> templates.contains(value);
      case REPOSITORIES -> repository(value);
      case PROJECTS -> projects.contains(value);
    };
  }
}
