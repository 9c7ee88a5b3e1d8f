package dev.slipway.steps.terraform;

import dev.slipway.engine.execute.StepExecutor.Result;
import java.nio.file.Path;
import java.util.UUID;

/** Executes one step in a separate process, which the test kills during the step. */
final class DoomedServer {
  private DoomedServer() {}

  /** Works in the directory and the database of a test. */
  public static void main(String[] arguments) throws InterruptedException {
    Modules modules = Modules.again(Path.of(arguments[0]), arguments[1]);
    Modules.Work work = modules.work().with("path", "slow");
    work.run = UUID.fromString(arguments[2]);
    work.resource = UUID.fromString(arguments[3]);
    Result result = work.execute();
    System.out.println(result);
    modules.log.all().forEach(System.out::println);
  }

  /** Starts a process for that work. */
  static Process start(Modules modules, Modules.Work work) throws java.io.IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xmx128m",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            DoomedServer.class.getName(),
            modules.directory.toString(),
            modules.address.jdbcUrl(),
            work.run.toString(),
            String.valueOf(work.resource))
        .redirectErrorStream(true)
        .redirectOutput(modules.directory.resolve("doomed.log").toFile())
        .start();
  }
}
