package dev.slipway.steps.job;

import dev.slipway.engine.intake.SizeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files of a provider as a pod gets them: in one ConfigMap. */
record ProviderArchive(List<File> files) {
  /** A ConfigMap has at most 1 MiB, with its names. */
  private static final long LARGEST = 900 * 1024;

  private static final int MOST = 1_000;
  private static final int PLAIN = 0444;
  private static final int PROGRAM = 0555;

  /** One file, by its path below the provider's directory. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record File(String path, byte[] content, int mode) {}

  /** The files of that directory; none without one. */
  static ProviderArchive of(@Nullable String directory) throws IOException {
    if (directory == null) {
      return new ProviderArchive(List.of());
    }
    Path root = Path.of(directory).toRealPath();
    List<Path> paths;
    try (Stream<Path> all = Files.walk(root)) {
      paths =
          all.filter(path -> Files.isRegularFile(path) && !hidden(root.relativize(path)))
              .sorted()
              .limit(MOST + 1L)
              .toList();
    }
    long size = 0;
    List<File> files = new ArrayList<>();
    for (Path path : paths) {
      if (!path.toRealPath().startsWith(root)) {
        throw new IllegalArgumentException(
            "'" + root.relativize(path) + "' is a link out of the provider's directory");
      }
      size += Files.size(path);
      check(size, files.size());
      files.add(
          new File(
              root.relativize(path).toString(),
              Files.readAllBytes(path),
              Files.isExecutable(path) ? PROGRAM : PLAIN));
    }
    return new ProviderArchive(files);
  }

  private static boolean hidden(Path path) {
    return path.startsWith(".git");
  }

  private static void check(long size, int count) {
    if (size > LARGEST || count >= MOST) {
      throw new IllegalArgumentException(
          "the provider has more files than a Job can be given (at most %d, with together %s); keep large ones in the image"
              .formatted(MOST, SizeText.print(LARGEST)));
    }
  }

  Map<String, String> data() {
    Map<String, String> data = new LinkedHashMap<>();
    for (int i = 0; i < files.size(); i++) {
      data.put("f" + i, Base64.getEncoder().encodeToString(files.get(i).content()));
    }
    return data;
  }

  List<Map<String, Object>> items() {
    List<Map<String, Object>> items = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      File file = files.get(i);
      items.add(Map.of("key", "f" + i, "path", file.path(), "mode", file.mode()));
    }
    return items;
  }
}
