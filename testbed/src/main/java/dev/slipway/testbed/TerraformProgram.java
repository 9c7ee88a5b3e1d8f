package dev.slipway.testbed;

import dev.slipway.programs.GoBuild;
import dev.slipway.programs.GoModule;
import dev.slipway.programs.SearchPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A real terraform or tofu: the one on the PATH, else OpenTofu, built once per machine from its
 * published source as pinned in {@code testbed/opentofu/go.sum}.
 */
public final class TerraformProgram {
  private TerraformProgram() {}

  /** One of them, built if necessary. */
  public static Path any() {
    return SearchPath.find("terraform")
        .or(() -> SearchPath.find("tofu"))
        .orElseGet(TerraformProgram::built);
  }

  /** All that are installed. */
  public static List<Path> all() {
    Optional<Path> tofu = SearchPath.find("tofu").or(() -> openTofu().cached("tofu"));
    List<Path> there = Stream.concat(SearchPath.find("terraform").stream(), tofu.stream()).toList();
    return there.isEmpty() ? List.of(built()) : there;
  }

  private static Path built() {
    return openTofu().program("tofu");
  }

  private static GoBuild openTofu() {
    return GoBuild.intoUserCache(GoModule.in(source()), System.out::println);
  }

  /** The Go module that pins it, found from the working directory of the tests. */
  private static Path source() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path found = at.resolve("testbed").resolve("opentofu");
      if (Files.exists(found.resolve("go.mod"))) {
        return found;
      }
    }
    throw new IllegalStateException("testbed/opentofu is not above the working directory");
  }
}
