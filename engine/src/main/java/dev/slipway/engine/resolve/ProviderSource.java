package dev.slipway.engine.resolve;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One entry of {@code providers} in the configuration: where a provider is and what it may do. */
public record ProviderSource(
    Location location,
    @Nullable String name,
    int precedence,
    String team,
    List<String> environments,
    Duration pollInterval,
    Grants grants) {

  /** Precedence of what is shipped with Slipway: any configured provider goes first. */
  public static final int BUNDLED = -1000;

  /** Where its files are. */
  public sealed interface Location {
    /** A directory of this machine. */
    record Directory(Path path) implements Location {}

    /** A Git repository. */
    record Git(String url, String ref, RefKind kind, String path, @Nullable GitAccess access)
        implements Location {
      /** Where its files are, for every machine: the repository and the directory in it. */
      String place() {
        return url + "#" + path;
      }
    }
  }

  /** The team of providers that name none, and of the bundled ones. */
  public static final String PLATFORM_TEAM = "platform";

  /** How a Git ref is to be read. */
  public enum RefKind {
    /** A full commit id, else a tag, else a branch. */
    ANY,
    TAG,
    BRANCH,
    COMMIT
  }

  /** A directory with the defaults. */
  public static ProviderSource directory(Path path, int precedence) {
    return new ProviderSource(
        new Location.Directory(path),
        null,
        precedence,
        PLATFORM_TEAM,
        List.of(),
        Duration.ofSeconds(60),
        Grants.NONE);
  }

  /** The same with these grants instead. */
  public ProviderSource with(Grants others) {
    return new ProviderSource(location, name, precedence, team, environments, pollInterval, others);
  }

  /** Its name in messages before its manifest has been read. */
  public String label() {
    return switch (location) {
      case Location.Directory directory -> directory.path().toString();
      case Location.Git git -> git.ref().isEmpty() ? git.url() : git.url() + "@" + git.ref();
    };
  }
}
