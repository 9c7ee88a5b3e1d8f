package dev.slipway.server;

import dev.slipway.engine.value.KeyRing;
import dev.slipway.web.access.Tokens;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that must survive the process: the embedded PostgreSQL, the key that seals secrets, the
 * first administrator's token, the replica's name. One process at a time locks it.
 */
final class DataDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);
  private static final int KEY_BYTES = KeyRing.KEY_BYTES;
  private static final String KEYS = "secret.key";

  private final Path path;
  private final FileChannel channel;
  private final FileLock lock;

  private DataDirectory(Path path, FileChannel channel, FileLock lock) {
    this.path = path;
    this.channel = channel;
    this.lock = lock;
  }

  /** Creates the directory if it is missing, and locks it. */
  static DataDirectory open(Path path) {
    try {
      if (!Files.isDirectory(path)) {
        Files.createDirectories(path, mode(path, "rwx------"));
      }
      Privacy.ensure(path, LOG::warn);
      Path file = path.resolve("lock");
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        String holder = new String(readAll(channel));
        channel.close();
        throw StartFailure.surroundings(
            "the data directory "
                + path
                + " is in use by another Slipway server"
                + (holder.isBlank() ? "" : " (process " + holder.strip() + ")")
                + ". Stop that one, or choose another directory with --data.",
            null);
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(("" + ProcessHandle.current().pid()).getBytes()), 0);
      channel.force(false);
      for (String name :
          List.of(
              "secret.key",
              "admin-token",
              "pg.password",
              "workloads/pg.password",
              "workloads/admin.password",
              "cluster/identities",
              "cluster/kubeconfig")) {
        Privacy.ensure(path.resolve(name), LOG::warn);
      }
      return new DataDirectory(path, channel, lock);
    } catch (IOException e) {
      throw StartFailure.file(path, e);
    }
  }

  Path path() {
    return path;
  }

  Path resolve(String name) {
    return path.resolve(name);
  }

  /** The replica's name, which it keeps over restarts. */
  String replica() {
    return secret("replica", () -> "slipway-" + HexFormat.of().formatHex(random(4))).strip();
  }

  /** The keys that seal secrets, created at the first start. */
  KeyRing keys() {
    return keys(secret(KEYS, () -> KeyRing.fresh(random(KEY_BYTES), random(KEY_BYTES)).text()));
  }

  /** The keys in the file now: a rotation changes it while the server runs. */
  KeyRing keysNow() throws IOException {
    return KeyRing.parse(Files.readString(resolve(KEYS)));
  }

  private KeyRing keys(String text) {
    try {
      return KeyRing.parse(text);
    } catch (IllegalArgumentException e) {
      throw StartFailure.surroundings(
          resolve(KEYS)
              + " does not hold keys: "
              + e.getMessage()
              + ". Restore it from a backup: without it the secrets in the database cannot be"
              + " read.",
          null);
    }
  }

  /** The first administrator's token, created at the first start. */
  String adminToken(Tokens tokens) {
    return secret("admin-token", () -> tokens.create(Tokens.API_KEY) + "\n").strip();
  }

  /** Reads a file of this server, or creates it atomically, so that no reader sees half of it. */
  private String secret(String name, Supplier<String> content) {
    Path file = resolve(name);
    try {
      if (!Files.exists(file)) {
        Path fresh = Files.createTempFile(path, "." + name, "", mode(path, "rw-------"));
        Files.writeString(fresh, content.get(), StandardOpenOption.SYNC);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      }
      return Files.readString(file);
    } catch (IOException e) {
      throw StartFailure.file(file, e);
    }
  }

  @Override
  public void close() {
    try {
      lock.release();
      channel.close();
    } catch (IOException e) {
      throw StartFailure.file(path, e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static byte[] readAll(FileChannel channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(64);
    int n = channel.read(buffer, 0);
    return Arrays.copyOf(buffer.array(), Math.max(0, n));
  }

  private static byte[] random(int bytes) {
    byte[] out = new byte[bytes];
    new SecureRandom().nextBytes(out);
    return out;
  }

  private static FileAttribute<?>[] mode(Path path, String permissions) {
    if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return new FileAttribute<?>[0];
    }
    Set<PosixFilePermission> set = PosixFilePermissions.fromString(permissions);
    return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(set)};
  }
}
