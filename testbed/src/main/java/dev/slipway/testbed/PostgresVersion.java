package dev.slipway.testbed;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The major versions of PostgreSQL that tests can start. */
public enum PostgresVersion {
  /** Older than what Slipway supports. */
  V14,
  V15,
  V16,
  V17,
  V18;

  /** The oldest version that Slipway supports. */
  public static final PostgresVersion OLDEST = V15;

  /** The newest version that Slipway supports, which is also the embedded one. */
  public static final PostgresVersion NEWEST = V18;

  private static final String PROPERTY = "slipway.test.postgres";

  /** The version for tests that name none; a build runs some of them on two versions. */
  static PostgresVersion ofThisBuild() {
    String major = System.getProperty(PROPERTY, NEWEST.major());
    return Arrays.stream(values())
        .filter(v -> v.major().equals(major))
        .findAny()
        .orElseThrow(() -> new IllegalArgumentException(PROPERTY + ": no PostgreSQL " + major));
  }

  /** As {@code 15}. */
  public String major() {
    return name().substring(1);
  }

  PgBinaryResolver binaries() {
    return this == NEWEST
        ? DefaultPostgresBinaryResolver.INSTANCE
        : (system, hardware) -> archive("postgres-" + major() + ".jar");
  }

  /** The only archive in a jar of binaries. */
  private static InputStream archive(String jar) throws IOException {
    InputStream resource = PostgresVersion.class.getResourceAsStream(jar);
    if (resource == null) {
      throw new FileNotFoundException(jar + " is not on the class path: build module testbed");
    }
    ZipInputStream entries = new ZipInputStream(resource);
    for (ZipEntry e = entries.getNextEntry(); e != null; e = entries.getNextEntry()) {
      if (e.getName().endsWith(".txz")) {
        return entries;
      }
    }
    entries.close();
    throw new FileNotFoundException(jar + " holds no archive of binaries");
  }
}
