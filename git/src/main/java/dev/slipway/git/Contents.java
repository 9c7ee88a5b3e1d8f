package dev.slipway.git;

import dev.slipway.engine.value.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** The SHA-256 over every file and link below a directory: name, kind and content. */
final class Contents {
  private Contents() {}

  static String hash(Path root) throws IOException {
    MessageDigest all = Sha256.digest();
    try (Stream<Path> walk = Files.walk(root)) {
      List<Path> found =
          walk.filter(p -> !Files.isDirectory(p, LinkOption.NOFOLLOW_LINKS)).sorted().toList();
      for (Path path : found) {
        all.update(root.relativize(path).toString().getBytes(StandardCharsets.UTF_8));
        all.update((byte) 0);
        if (Files.isSymbolicLink(path)) {
          all.update((byte) 'l');
          all.update(Files.readSymbolicLink(path).toString().getBytes(StandardCharsets.UTF_8));
          all.update((byte) 0);
        } else {
          all.update((byte) (Files.isExecutable(path) ? 'x' : 'f'));
          all.update(file(path));
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return HexFormat.of().formatHex(all.digest());
  }

  private static byte[] file(Path path) throws IOException {
    MessageDigest one = Sha256.digest();
    try (InputStream in = new DigestInputStream(Files.newInputStream(path), one)) {
      in.transferTo(java.io.OutputStream.nullOutputStream());
    }
    return one.digest();
  }
}
