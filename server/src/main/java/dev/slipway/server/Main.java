package dev.slipway.server;

import ch.qos.logback.classic.Level;
import dev.slipway.server.telemetry.Logging;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** {@code slipway up}: the server in the foreground. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) throws InterruptedException {
    if (List.of(arguments).contains("--help") || List.of(arguments).contains("-h")) {
      System.out.print(Options.USAGE);
      return;
    }
    try {
      Options options = Options.parse(List.of(arguments), System::getenv);
      Options.warning(List.of(arguments))
          .ifPresent(warning -> System.err.println("slipway: " + warning));
      AtomicReference<String> replica = new AtomicReference<>("starting");
      Logging.configure(format(), level(), replica::get);
      run(options, replica);
    } catch (StartFailure failure) {
      System.err.println("slipway: " + failure.getMessage());
      System.exit(failure.exitCode());
    }
  }

  private static void run(Options options, AtomicReference<String> replica)
      throws InterruptedException {
    options.recorded().ifPresent(_ -> endWithInput());
    ProcessEnd end = new ProcessEnd();
    SlipwayServer server = new SlipwayServer(options, end::begin);
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("stop")
                .unstarted(
                    () -> {
                      server.close();
                      stopped.countDown();
                    }));
    server.start();
    replica.set(server.replica());
    System.out.println("Slipway is ready at " + server.url());
    System.out.println("  token   " + server.adminTokenFile());
    server.hints().forEach(hint -> System.out.println("  " + hint));
    System.out.println("  stop    Ctrl-C");
    stopped.await();
  }

  /** Ends a test's server when its standard input closes, however the test ends. */
  private static void endWithInput() {
    System.err.println("slipway: recorded steps are not executed; this server is for tests only");
    Thread.ofPlatform()
        .daemon()
        .name("input")
        .start(
            () -> {
              try {
                System.in.transferTo(OutputStream.nullOutputStream());
              } catch (IOException e) {
                // the process at the other end is gone
              }
              System.exit(0);
            });
  }

  private static Logging.Format format() {
    String wanted = System.getenv("SLIPWAY_LOG");
    if (wanted != null) {
      return wanted.equals("text") ? Logging.Format.TEXT : Logging.Format.JSON;
    }
    return System.console() == null ? Logging.Format.JSON : Logging.Format.TEXT;
  }

  private static Level level() {
    return Level.toLevel(System.getenv("SLIPWAY_LOG_LEVEL"), Level.INFO);
  }
}
