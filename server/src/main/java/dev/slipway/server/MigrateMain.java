package dev.slipway.server;

import ch.qos.logback.classic.Level;
import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseException;
import dev.slipway.postgres.Migrations;
import dev.slipway.postgres.embedded.EmbeddedServer;
import dev.slipway.server.telemetry.Logging;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** {@code slipway migrate}: migrates the schema of a database without starting a server. */
public final class MigrateMain {
  static final String USAGE =
      """
      usage: slipway migrate [--check] [--data DIR] [--database JDBC-URL]

        --check              says what would be done, and does nothing
        --data DIR           whose embedded PostgreSQL, when there is no --database (SLIPWAY_DATA)
        --database JDBC-URL  an external PostgreSQL (SLIPWAY_DATABASE)

      Ends with 0 when the schema is up to date, with 2 when --check found something to do, with 1
      when it cannot be done, with 64 for arguments that it does not know.
      """;

  private static final int UP_TO_DATE = 0;
  private static final int CHANGES = 2;

  private enum Task {
    CHECK,
    APPLY
  }

  private MigrateMain() {}

  public static void main(String[] arguments) {
    Logging.configure(Logging.Format.TEXT, Level.WARN, () -> "migrate");
    try {
      System.exit(run(List.of(arguments), System::getenv, System.out));
    } catch (StartFailure failure) {
      System.err.println("slipway: " + failure.getMessage());
      System.exit(failure.exitCode());
    }
  }

  /** Returns the exit code. */
  static int run(
      List<String> arguments, UnaryOperator<@Nullable String> environment, PrintStream out) {
    if (arguments.contains("--help") || arguments.contains("-h")) {
      out.print(USAGE);
      return UP_TO_DATE;
    }
    List<String> rest = new ArrayList<>(arguments);
    Task task = rest.removeIf("--check"::equals) ? Task.CHECK : Task.APPLY;
    Options options = Options.parse(rest, environment);
    try {
      return options.database().isPresent()
          ? on(options.database().get().address(), task, out)
          : onEmbedded(options, task, out);
    } catch (DatabaseException e) {
      throw StartFailure.surroundings(String.valueOf(e.getMessage()), e);
    }
  }

  /** Locks the data directory: a server that runs on it uses the same embedded PostgreSQL. */
  private static int onEmbedded(Options options, Task task, PrintStream out) {
    if (!Files.exists(options.data().resolve("pg"))) {
      out.println(
          "There is no database in "
              + options.data()
              + " yet; the first start makes it up to date.");
      return UP_TO_DATE;
    }
    try (DataDirectory data = DataDirectory.open(options.data());
        EmbeddedServer server =
            EmbeddedServer.begin(data.path(), OptionalInt.empty(), Threads.OF_MACHINE)) {
      server.awaitReady();
      return on(server.address(), task, out);
    }
  }

  private static int on(Database.Address address, Task task, PrintStream out) {
    Migrations migrations = new Migrations(address, BranchList.ALL.migrations());
    Migrations.State state =
        switch (task) {
          case CHECK -> migrations.state();
          case APPLY -> migrations.apply();
        };
    if (state.current()) {
      out.println("The schema of " + address + " is up to date: version " + state.known() + ".");
      return UP_TO_DATE;
    }
    out.println(
        "The schema of %s %s from version %s to %s:"
            .formatted(
                address,
                task == Task.CHECK ? "would be brought" : "was brought",
                state.applied().orElse("0"),
                state.known()));
    state.unfinished().forEach(i -> out.println("  index " + i + " (its build was interrupted)"));
    state.pending().forEach(m -> out.println("  " + m));
    return task == Task.CHECK ? CHANGES : UP_TO_DATE;
  }
}
