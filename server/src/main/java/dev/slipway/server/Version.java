package dev.slipway.server;

/** Which Slipway this is. */
final class Version {
  static final String TEXT =
      Version.class.getPackage().getImplementationVersion() == null
          ? "development"
          : Version.class.getPackage().getImplementationVersion();

  private Version() {}
}
