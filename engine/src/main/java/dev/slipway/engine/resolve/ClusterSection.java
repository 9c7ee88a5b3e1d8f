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
  static final Pattern ADDRESS = Pattern.compile("https://[A-Za-z0-9.:\\[\\]-]{1,300}(/.*)?");
  static final Pattern NAMESPACE = Pattern.compile("[a-z0-9{}*]([a-z0-9{}*-]{0,80}[a-z0-9{}*])?");
  static final Pattern USER = Pattern.compile("[A-Za-z0-9{}:._@/-]{1,300}");

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
    ClusterSettings settings = new ClusterSettings(access, user(s), namespaces(s), teams);
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
      boolean one = pattern.indexOf('*') == pattern.lastIndexOf('*');
      if (NAMESPACE.matcher(pattern).matches() && one) {
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
    boolean kubeconfig = s.has("kubeconfig");
    boolean server = s.has("server");
    boolean inside = s.bool("inCluster", false);
    if ((kubeconfig ? 1 : 0) + (server ? 1 : 0) + (inside ? 1 : 0) != 1) {
      s.error(
          "missing-field",
          "a cluster needs one of 'kubeconfig', 'server' and 'inCluster: true'",
          "Write kubeconfig: ${file:PATH}.");
      return Optional.empty();
    }
    if (inside) {
      return Optional.of(new Access.InCluster());
    }
    return kubeconfig ? kubeconfig(s) : token(s);
  }

  private static Optional<Access> kubeconfig(Section s) {
    String text = s.requiredString("kubeconfig");
    if (!text.isEmpty() && !text.contains("clusters:") && !text.contains("\"clusters\"")) {
      s.error(
          "kubeconfig",
          "invalid-value",
          "this is not the text of a kubeconfig",
          "Write kubeconfig: ${file:PATH}, so that the file itself is read.");
      return Optional.empty();
    }
    return Optional.of(new Access.Kubeconfig(text, s.string("context")));
  }

  private static Optional<Access> token(Section s) {
    String server = s.requiredMatching("server", ADDRESS, "an https address");
    String token = s.requiredString("token").strip();
    if (!ADDRESS.matcher(server).matches()) {
      return Optional.empty();
    }
    return Optional.of(new Access.Token(URI.create(server), s.string("ca"), token));
  }
}
