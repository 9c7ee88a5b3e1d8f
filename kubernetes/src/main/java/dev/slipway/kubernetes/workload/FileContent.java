package dev.slipway.kubernetes.workload;

import dev.slipway.kubernetes.apply.RefusedException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** A file of a container. */
sealed interface FileContent {
  String path();

  Optional<Integer> mode();

  /** A text that may be shown. */
  record Text(String path, Optional<Integer> mode, String content) implements FileContent {}

  /** Bytes that may be shown. */
  record Binary(String path, Optional<Integer> mode, String base64) implements FileContent {}

  /** Bytes in which there is a secret. */
  record Secret(String path, Optional<Integer> mode, String base64) implements FileContent {}

  static FileContent read(String path, Part file, Secrecy secrecy) throws RefusedException {
    Optional<Integer> mode = mode(file);
    Optional<String> text = file.text("content");
    if (text.isPresent()) {
      return secrecy.content(text.get())
          ? new Secret(path, mode, PodContent.base64(text.get()))
          : new Text(path, mode, text.get());
    }
    if (!file.has("binaryContent")) {
      throw file.wrong("content", "is missing");
    }
    String base64 = file.required("binaryContent");
    return secrecy.content(base64) || secrecy.content(decoded(file, base64))
        ? new Secret(path, mode, base64)
        : new Binary(path, mode, base64);
  }

  private static Optional<Integer> mode(Part file) throws RefusedException {
    Optional<String> mode = file.text("mode");
    if (mode.isPresent() && !mode.get().matches("0?[0-7]{3}")) {
      throw file.wrong("mode", "is no mode of a file, such as \"0644\"");
    }
    return mode.map(octal -> Integer.valueOf(octal, 8));
  }

  private static String decoded(Part file, String base64) throws RefusedException {
    try {
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw file.wrong("binaryContent", "is not base64");
    }
  }
}
