package dev.slipway.cli;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A Score file of this machine, made ready for the server: local files that it names are put into
 * it.
 */
final class ScoreFile {
  private static final int LARGEST_FILE = 512 * 1024;

  private ScoreFile() {}

  static byte[] read(Path file) {
    byte[] bytes = bytes(file);
    Optional<Document> document =
        Document.parse(file.toString(), bytes, Limits.DEFAULT, new Diagnostics());
    if (document.isEmpty() || !(document.get().plain() instanceof Map<?, ?> root)) {
      return bytes; // the server says what is wrong with it
    }
    Map<String, Object> embedded = embed(Values.map(root), directory(file));
    return embedded.equals(root) ? bytes : Json.write(embedded).getBytes(StandardCharsets.UTF_8);
  }

  /** The directory of a file that was read. */
  static Path directory(Path file) {
    return Objects.requireNonNull(
        file.toAbsolutePath().getParent(), "only the root has no parent, and it is no file");
  }

  static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new Failure(
          ExitCode.FAILED,
          "cannot read " + file + ": " + (Files.exists(file) ? e.getMessage() : "no such file"));
    }
  }

  private static Map<String, Object> embed(Map<String, Object> root, Path base) {
    if (!(root.get("containers") instanceof Map<?, ?> containers)) {
      return root;
    }
    Map<String, Object> newContainers = new LinkedHashMap<>();
    containers.forEach(
        (name, container) -> {
          Object changed = container;
          if (container instanceof Map<?, ?> map && map.get("files") instanceof Map<?, ?> files) {
            Map<String, Object> copy = new LinkedHashMap<>(Values.map(map));
            copy.put("files", embedFiles(Values.map(files), base));
            changed = copy;
          }
          newContainers.put((String) name, changed);
        });
    Map<String, Object> copy = new LinkedHashMap<>(root);
    copy.put("containers", newContainers);
    return copy;
  }

  private static Map<String, Object> embedFiles(Map<String, Object> files, Path base) {
    Map<String, Object> out = new LinkedHashMap<>();
    files.forEach(
        (target, file) -> {
          if (file instanceof Map<?, ?> map && map.get("source") instanceof String source) {
            Map<String, Object> copy = new LinkedHashMap<>(Values.map(map));
            copy.remove("source");
            put(copy, below(base, source));
            out.put(target, copy);
          } else {
            out.put(target, file);
          }
        });
    return out;
  }

  /**
   * The file that a Score file names, which has to lie below it after all links: a Score file from
   * another place must not make the command line read and send a file of its user's.
   */
  private static Path below(Path base, String source) {
    Path named = base.resolve(source);
    Path real;
    Path root;
    try {
      root = base.toRealPath();
      real = named.toRealPath();
    } catch (IOException e) {
      throw new Failure(ExitCode.FAILED, "cannot read " + named + ": no such file");
    }
    if (Path.of(source).isAbsolute() || !real.startsWith(root) || !Files.isRegularFile(real)) {
      throw new Failure(
          ExitCode.FAILED,
          "the source '" + source + "' is not a file below the Score file's directory " + root,
          "Copy it there: what a Score file names is read and sent to the server.");
    }
    return real;
  }

  private static void put(Map<String, Object> file, Path source) {
    byte[] bytes = bytes(source);
    if (bytes.length > LARGEST_FILE) {
      throw new Failure(
          ExitCode.FAILED,
          source + " is larger than 512 KiB and cannot travel inside a Score file",
          "Put it into the image or on a volume.");
    }
    try {
      file.put(
          "content", StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      file.put("binaryContent", Base64.getEncoder().encodeToString(bytes));
    }
  }
}
