package dev.slipway.cli;

/** Which build this is. */
final class Version {
  private Version() {}

  static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
