package dev.slipway.steps.terraform;

import dev.slipway.engine.value.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/** The file that a program writes its state to. */
final class StateFile {
  private StateFile() {}

  /** The complete state; empty while the program is writing it, or when there is none. */
  static Optional<byte[]> read(Path file) {
    try {
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
        return Optional.empty();
      }
      byte[] bytes = Files.readAllBytes(file);
      return isWhole(new String(bytes, StandardCharsets.UTF_8).strip())
          ? Optional.of(bytes)
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * In a formatted state only the last brace stands at the beginning of a line; a state on one line
   * is parsed.
   */
  private static boolean isWhole(String text) {
    if (text.contains("\n")) {
      return text.startsWith("{") && text.endsWith("\n}");
    }
    try {
      return Json.readMap(text).containsKey("serial");
    } catch (RuntimeException e) {
      return false;
    }
  }
}
