package dev.slipway.kubernetes.apply;

import dev.slipway.kubernetes.cluster.ApiKind;
import java.util.Optional;

/** The name of one object in a cluster. */
public record ObjectRef(ApiKind kind, Optional<String> namespace, String name) {
  /** Its path at the API server. */
  public String path() {
    return kind.path(namespace, name);
  }

  @Override
  public String toString() {
    return kind.kind() + " " + namespace.map(n -> n + "/").orElse("") + name;
  }
}
