package dev.slipway.cli;

import dev.slipway.cli.CaseWatch.Place;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs a script of a case on this machine, in the provider's directory. It finds the resource that
 * it is about in its environment.
 */
record CaseScript(Path directory, Path data) {
  private static final long LONGEST_SECONDS = 60;

  /**
   * The resource.
   *
   * @param id empty until the server has created it
   */
  record About(Place place, String team, String id, Map<String, Object> outputs) {}

  /** What it prints, and how it ended. */
  record Said(String text, int code) {
    String report() {
      return code == 0 ? text : (text + "\n(it ended with " + code + ")").strip();
    }
  }

  Said run(String script, About about) throws IOException, InterruptedException {
    Files.createDirectories(data);
    Path said = Files.createTempFile("slipway-case-", ".out");
    try {
      ProcessBuilder builder =
          new ProcessBuilder("bash", "-c", script)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(said.toFile());
      environment(builder.environment(), about);
      Process process = builder.start();
      process.getOutputStream().close();
      if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new Failure(
            ExitCode.TIMEOUT, "a script of the case takes longer than " + LONGEST_SECONDS + " s");
      }
      return new Said(Files.readString(said, StandardCharsets.UTF_8).strip(), process.exitValue());
    } finally {
      Files.delete(said);
    }
  }

  private void environment(Map<String, String> env, About about) {
    env.put("SLIPWAY_PROVIDER_DATA", data.toString());
    env.put("ENVIRONMENT", about.place().environment());
    env.put("SLIPWAY_APPLICATION", about.place().application());
    env.put("APP_NAME", about.place().application());
    env.put("RESOURCE_NAME", about.place().subject().name());
    env.put("RESOURCE_ID", about.id());
    env.put("TEAM_ID", about.team());
    about.outputs().forEach((name, value) -> env.put("OUTPUT_" + name, String.valueOf(value)));
  }
}
