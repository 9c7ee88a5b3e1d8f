package dev.slipway.engine.resolve;

import dev.slipway.engine.value.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** The SHA-256 of every file below a directory, names included. */
final class ContentHash {
  private static final int DEEPEST = 12;
  private static final int MOST_FILES = 50_000;

  private ContentHash() {}

  static String of(Path directory) {
    MessageDigest digest = Sha256.digest();
    try (Stream<Path> walk = Files.walk(directory, DEEPEST)) {
      List<Path> files =
          walk.filter(p -> Files.isRegularFile(p, LinkOption.NOFOLLOW_LINKS))
              .filter(p -> !directory.relativize(p).toString().startsWith(".git"))
              .limit(MOST_FILES)
              .sorted()
              .toList();
      for (Path file : files) {
        digest.update(directory.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
        digest.update(Sha256.digest().digest(Files.readAllBytes(file)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  static String of(String text) {
    return Sha256.hex(text);
  }
}
