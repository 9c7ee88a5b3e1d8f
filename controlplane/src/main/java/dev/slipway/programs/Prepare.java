package dev.slipway.programs;

import java.nio.file.Path;
import java.util.List;

/** Builds all programs of the Go modules in the given directories, before tests need them. */
public final class Prepare {
  private Prepare() {}

  public static void main(String[] directories) {
    try {
      for (String directory : directories) {
        GoBuild build = GoBuild.intoUserCache(GoModule.in(Path.of(directory)), Prepare::say);
        List.copyOf(build.module().packages().keySet()).forEach(build::program);
      }
    } catch (ProgramException e) {
      say(String.valueOf(e.getMessage()));
      System.exit(1);
    }
  }

  private static void say(String line) {
    System.out.println("programs: " + line);
  }
}
