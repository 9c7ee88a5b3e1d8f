package dev.slipway.kubernetes.apply;

/** Secrets that Kubernetes fills with the token of a service account. */
final class ServiceAccountTokens {
  private ServiceAccountTokens() {}

  static void refuse(Manifest manifest) throws RefusedException {
    Object type = manifest.document().content().get("type");
    if (manifest.ref().kind().granted().equals("Secret")
        && ("kubernetes.io/service-account-token".equals(type)
            || String.valueOf(type).startsWith("bootstrap.kubernetes.io/"))) {
      throw RefusedException.last(
          "kind-not-granted",
          manifest.ref() + ": a Secret of type " + type + " gives rights",
          "Let pods use the token that Kubernetes mounts into them.");
    }
  }
}
