package dev.slipway.postgres.embedded;

import dev.slipway.postgres.DatabaseException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** PostgreSQL's programs, unpacked once per version into a directory of Slipway's. */
final class Binaries {
  private Binaries() {}

  /** The directory with {@code bin/postgres}; unpacking is atomic. */
  static Path unpackedIn(Path parent) throws IOException {
    URL archive = archive();
    URLConnection connection = archive.openConnection();
    connection.setUseCaches(false);
    Path target = parent.resolve("postgresql-" + connection.getContentLengthLong());
    try (InputStream in = connection.getInputStream()) {
      if (Files.isDirectory(target)) {
        return target;
      }
      Path fresh = Files.createTempDirectory(parent, ".postgresql");
      unpack(in, fresh);
      Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
    }
    return target;
  }

  private static URL archive() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String system =
        os.startsWith("mac") ? "darwin" : os.startsWith("windows") ? "windows" : "linux";
    String arch = machine.equals("aarch64") ? "arm_64" : "x86_64";
    URL found = Binaries.class.getResource("/postgres-" + system + "-" + arch + ".txz");
    if (found == null) {
      throw new DatabaseException(
          "no PostgreSQL for %s on %s is built in. Point Slipway to a PostgreSQL of your own with --database."
              .formatted(os, machine),
          null);
    }
    return found;
  }

  private static void unpack(InputStream in, Path into) throws IOException {
    try (TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(in))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path path = into.resolve(entry.getName()).normalize();
        if (!path.startsWith(into)) {
          throw new IOException("the archive of PostgreSQL leads outside: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(path);
        } else if (entry.isSymbolicLink()) {
          Files.createDirectories(path.getParent());
          Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
        } else {
          Files.createDirectories(path.getParent());
          Files.copy(tar, path);
          Files.setPosixFilePermissions(path, permissions(entry.getMode()));
        }
      }
    }
  }

  private static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> set =
        EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    set.add(PosixFilePermission.GROUP_READ);
    set.add(PosixFilePermission.OTHERS_READ);
    if ((mode & 0100) != 0) {
      set.add(PosixFilePermission.OWNER_EXECUTE);
      set.add(PosixFilePermission.GROUP_EXECUTE);
      set.add(PosixFilePermission.OTHERS_EXECUTE);
    }
    return set;
  }
}
