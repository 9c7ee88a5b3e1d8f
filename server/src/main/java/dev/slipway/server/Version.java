package dev.slipway.server;

/** The version of this Slipway. */
final class Version {
  static final String TEXT =
      Version.class.getPackage().getImplementationVersion() == null
          ? "development"
          : Version.class.getPackage().getImplementationVersion();

  private Version() {}
}
