package dev.slipway.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A provider to begin with: works, and its tests pass, before anything in it is changed. */
record Skeleton(String name, String type) {
  static final List<String> FILES =
      List.of(
          "provider.yaml",
          "workflows/create.yaml",
          "workflows/read.yaml",
          "workflows/update.yaml",
          "workflows/delete.yaml",
          "tests/life.yaml",
          "README.md");

  /**
   * Where editors find the schemas that the comments in the files name: a server on this machine.
   */
  private static final String SCHEMAS = "http://127.0.0.1:8081/schemas";

  /** Writes all files, or none when the directory has something in it. */
  void write(Path directory) {
    refuse(directory);
    try {
      for (String file : FILES) {
        Path target = directory.resolve(file);
        Files.createDirectories(target.getParent());
        Files.writeString(target, text(file));
      }
    } catch (IOException e) {
      throw new Failure(
          ExitCode.FAILED,
          "cannot write to " + directory + ": " + e.getMessage(),
          "Choose another place with --dir.");
    }
  }

  private static void refuse(Path directory) {
    try (Stream<Path> found = Files.isDirectory(directory) ? Files.list(directory) : null) {
      boolean taken = found == null ? Files.exists(directory) : found.findAny().isPresent();
      if (taken) {
        throw new Failure(
            ExitCode.USAGE,
            directory + " is there already, and nothing is overwritten",
            "Choose another place with --dir, or remove it first.");
      }
    } catch (IOException e) {
      throw new Failure(ExitCode.FAILED, "cannot look into " + directory + ": " + e.getMessage());
    }
  }

  private String text(String file) throws IOException {
    try (InputStream in = Skeleton.class.getResourceAsStream("skeleton/" + file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("@NAME@", name)
          .replace("@TYPE@", type)
          .replace("@SCHEMAS@", SCHEMAS);
    }
  }
}
