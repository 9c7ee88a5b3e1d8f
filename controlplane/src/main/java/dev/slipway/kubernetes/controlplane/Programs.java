package dev.slipway.kubernetes.controlplane;

import dev.slipway.programs.GoBuild;
import dev.slipway.programs.GoModule;
import dev.slipway.programs.ProgramException;
import dev.slipway.programs.SearchPath;
import dev.slipway.programs.UserCache;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The programs of the control plane and where they come from.
 *
 * @param origin the place, for people: "KUBEBUILDER_ASSETS (/opt/envtest)"
 */
public record Programs(Map<Program, Path> files, String origin) {
  private static final String ASSETS = "KUBEBUILDER_ASSETS";

  /** The file of a program. */
  public Path file(Program program) {
    Path file = files.get(program);
    if (file == null) {
      throw new IllegalArgumentException("no file for " + program.file());
    }
    return file;
  }

  /**
   * Finds them in the directory that KUBEBUILDER_ASSETS names, else in the user's cache, else
   * builds with {@code go} into the cache what is missing there. A directory counts only with all
   * programs, since those of different releases do not fit together.
   *
   * @param progress receives a line for each step that takes time
   */
  public static Programs find(Consumer<String> progress) {
    return find(Optional.ofNullable(System.getenv(ASSETS)).filter(d -> !d.isBlank()), progress);
  }

  static Programs find(Optional<String> assets, Consumer<String> progress) {
    if (assets.isPresent()) {
      Path directory = Path.of(assets.get());
      List<String> missing =
          Arrays.stream(Program.values())
              .map(Program::file)
              .filter(file -> !Files.isExecutable(directory.resolve(file)))
              .toList();
      if (missing.isEmpty()) {
        return new Programs(
            each(program -> directory.resolve(program.file())), ASSETS + " (" + directory + ")");
      }
      progress.accept(
          "%s (%s) is not used: it has no %s"
              .formatted(ASSETS, directory, String.join(", ", missing)));
    }
    return inCache(progress);
  }

  private static Programs inCache(Consumer<String> progress) {
    List<String> missing =
        Arrays.stream(Program.values())
            .filter(program -> build(program, progress).cached(program.file()).isEmpty())
            .map(Program::file)
            .toList();
    if (missing.isEmpty()) {
      return new Programs(
          each(program -> build(program, progress).program(program.file())),
          "the cache (" + UserCache.directory().resolve("kube") + ")");
    }
    if (SearchPath.find("go").isEmpty()) {
      throw new ProgramException(nothingBuilds(missing));
    }
    progress.accept(
        "building the control plane's programs once for this machine (%s), which takes some minutes"
            .formatted(String.join(", ", missing)));
    return new Programs(
        each(program -> build(program, progress).program(program.file())),
        "built with go into " + UserCache.directory().resolve("kube"));
  }

  private static String nothingBuilds(List<String> missing) {
    return """
        the programs of a Kubernetes control plane are not there (%s) and there is no 'go' on the PATH to build them. Do one of these:
          install Go 1.26 or newer and start again: it builds them once, in some minutes, into %s
          set %s to a directory with all of %s (Kubernetes 1.36, etcd 3.6, KWOK 0.8)"""
        .formatted(
            String.join(", ", missing),
            UserCache.directory().resolve("kube"),
            ASSETS,
            String.join(", ", Arrays.stream(Program.values()).map(Program::file).toList()));
  }

  private static GoBuild build(Program program, Consumer<String> progress) {
    return GoBuild.intoUserCache(GoModule.beside(Programs.class, program.module()), progress);
  }

  private interface Place {
    Path of(Program program);
  }

  private static Map<Program, Path> each(Place place) {
    Map<Program, Path> files = new EnumMap<>(Program.class);
    for (Program program : Program.values()) {
      files.put(program, place.of(program));
    }
    return files;
  }
}
