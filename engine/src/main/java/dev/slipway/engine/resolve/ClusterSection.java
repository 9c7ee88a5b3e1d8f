package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Section;
import dev.slipway.engine.resolve.ClusterSettings.Access;
import dev.slipway.engine.resolve.ClusterSettings.TeamPlace;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads section {@code clusters} of the configuration. */
final class ClusterSection {
  static final Pattern ADDRESS =
      Pattern.compile("https://[A-Za-z0-9.:\\[\\]-]{1,300}(/[A-Za-z0-9._~/-]*)?");
  static final Pattern NAMESPACE =
      Pattern.compile("(?=.{1,80}$)([a-z0-9-]|\\{team\\})*(\\*([a-z0-9-]|\\{team\\})*)?");
  static final Pattern USER = Pattern.compile("[A-Za-z0-9{}:._@/-]{1,300}");

  private static final List<String> WAYS = List.of("kubeconfig", "server", "inCluster");

  private ClusterSection() {}

  static Map<String, ClusterSettings> read(Section root) {
    Map<String, ClusterSettings> clusters = new LinkedHashMap<>();
    root.sectionMap("clusters")
        .forEach((name, s) -> access(s).ifPresent(a -> clusters.put(name, cluster(s, a))));
    return clusters;
  }

  private static ClusterSettings cluster(Section s, Access access) {
    Map<String, TeamPlace> teams = new LinkedHashMap<>();
    s.sectionMap("teams").forEach((team, t) -> teams.put(team, place(t)));
    ClusterSettings settings =
        new ClusterSettings(access, user(s), namespaces(s), teams, JobSection.read(s));
    s.warnOfOtherKeys();
    return settings;
  }

  private static TeamPlace place(Section s) {
    s.only(AdminForms.CLUSTER_TEAM.names());
    TeamPlace place = new TeamPlace(namespaces(s), user(s));
    s.warnOfOtherKeys();
    return place;
  }

  private static Optional<String> user(Section s) {
    return s.matching("impersonate", USER, "the name of a user");
  }

  private static List<String> namespaces(Section s) {
    List<String> patterns = new ArrayList<>();
    for (String pattern : s.strings("namespaces")) {
      if (NAMESPACE.matcher(pattern).matches()) {
        patterns.add(pattern);
      } else {
        s.error(
            "namespaces",
            "invalid-value",
            "'" + pattern + "' is no name of a namespace",
            "Write a name; {team} stands for the team and one * for any text.");
      }
    }
    return patterns;
  }

  private static Optional<Access> access(Section s) {
    s.only(AdminForms.CLUSTER.names());
    List<String> written = WAYS.stream().filter(name -> s.located(name).isPresent()).toList();
    if (written.size() != 1) {
      s.error(
          written.isEmpty() ? "missing-field" : "contradiction",
          "a cluster needs exactly one of 'kubeconfig', 'server' and 'inCluster'",
          "Write kubeconfig: ${file:PATH}.");
      return Optional.empty();
    }
    return switch (written.getFirst()) {
      case "kubeconfig" -> kubeconfig(s);
      case "server" -> token(s);
      default -> inside(s);
    };
  }

  private static Optional<Access> inside(Section s) {
    Optional<Boolean> inside = s.bool("inCluster");
    if (inside.isPresent() && !inside.get()) {
      s.error("inCluster", "invalid-value", "a cluster can only be 'inCluster: true'", null);
    }
    return inside.filter(is -> is).map(_ -> new Access.InCluster());
  }

  private static Optional<Access> kubeconfig(Section s) {
    String text = s.requiredString("kubeconfig");
    boolean looksRight = text.contains("clusters:") || text.contains("\"clusters\"");
    if (!text.isBlank() && !looksRight) {
      s.error(
          "kubeconfig",
          "invalid-value",
          "this is not the text of a kubeconfig",
          "Write kubeconfig: ${file:PATH}, so that the file itself is read.");
    }
    return looksRight
        ? Optional.of(new Access.Kubeconfig(text, s.string("context")))
        : Optional.empty();
  }

  private static Optional<Access> token(Section s) {
    String server = s.requiredMatching("server", ADDRESS, "an https address");
    Optional<String> token = s.string("token").map(String::strip).filter(t -> !t.isEmpty());
    if (token.isEmpty()) {
      s.error(
          "missing-field",
          "a cluster with 'server' needs 'token'",
          "Write token: ${file:PATH} or ${env:NAME}.");
    }
    return ADDRESS.matcher(server).matches() && token.isPresent()
        ? Optional.of(new Access.Token(URI.create(server), s.string("ca"), token.get()))
        : Optional.empty();
  }
}
