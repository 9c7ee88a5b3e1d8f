package dev.slipway.kubernetes.cluster;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A kind of objects as an API server serves it. */
public record ApiKind(String apiVersion, String kind, String plural, Scope scope) {
  /** Where its objects live. */
  public enum Scope {
    NAMESPACED,
    CLUSTER
  }

  /** Its group; empty for the core. */
  public String group() {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  /** Its name in grants: {@code ClusterRole.rbac.authorization.k8s.io}, {@code Namespace}. */
  public String granted() {
    return group().isEmpty() ? kind : kind + "." + group();
  }

  /** The path of all its objects, or of those in one namespace. */
  public String path(Optional<String> namespace) {
    String root = group().isEmpty() ? "/api/" : "/apis/";
    return root
        + apiVersion
        + namespace.map(name -> "/namespaces/" + encoded(name)).orElse("")
        + "/"
        + plural;
  }

  /** The path of one object. */
  public String path(Optional<String> namespace, String name) {
    return path(namespace) + "/" + encoded(name);
  }

  private static String encoded(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
