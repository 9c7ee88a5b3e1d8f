package dev.slipway.steps.terraform;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.resolve.Grants;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.workflow.Retry;
import dev.slipway.engine.workflow.Step;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.modules.PostgresModuleStates;
import dev.slipway.steps.Calls;
import dev.slipway.steps.Lines;
import dev.slipway.testbed.TerraformProgram;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A provider with modules, a database for their states, and steps that work on them. */
final class Modules implements AutoCloseable {
  final Path directory;
  final Database.Address address;
  final Path data;
  final Path provider;
  final Database database;
  final PostgresModuleStates states;
  final TerraformExecutor executor;
  final Lines log = new Lines();
  Path program = TerraformProgram.any();

  /** Migrated once, then copied. */
  private static final class Template {
    static final TestDatabase MIGRATED = migrated();

    private static TestDatabase migrated() {
      TestDatabase database = TestPostgres.freshDatabase();
      Database.open(address(database), 2).close();
      return database;
    }
  }

  private static Database.Address address(TestDatabase database) {
    return new Database.Address(database.jdbcUrl(), database.user(), database.password());
  }

  Modules(Path directory) {
    this(directory, address(TestPostgres.copyOf(Template.MIGRATED)));
  }

  /** The same fixture in another process. */
  static Modules again(Path directory, String jdbcUrl) {
    return new Modules(directory, new Database.Address(jdbcUrl, "postgres", "unused"));
  }

  private Modules(Path directory, Database.Address address) {
    this.directory = directory;
    this.address = address;
    this.data = directory.resolve("data");
    this.provider = directory.resolve("provider");
    this.database = Database.open(address, 4);
    this.states =
        new PostgresModuleStates(database.jdbi(), new SecretBox(new byte[32]), UUID::randomUUID);
    this.executor =
        TerraformExecutor.terraform(
            new TerraformExecutor.Setup(
                data,
                ProgramPath.ofThisProcess(),
                () -> ProcessLimits.DEFAULT,
                states,
                InstantSource.system()));
  }

  Modules file(String name, String text) {
    try {
      Path file = provider.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A step on module {@code db} of one resource. */
  final class Work {
    UUID run = UUID.randomUUID();
    @Nullable UUID resource = UUID.randomUUID();
    String step = "do-it";
    long epoch = 1;
    int attempt = 1;
    String operation = "create";
    StepCall.Origin origin = StepCall.Origin.FRESH;
    Duration timeout = Duration.ofSeconds(60);
    Map<String, Object> memory = Map.of();
    Map<String, String> env = Map.of();
    List<String> wanted = List.of();
    final Map<String, Object> config = new LinkedHashMap<>(Map.of("path", "db"));

    Work with(String field, Object value) {
      config.put(field, value);
      return this;
    }

    /** Stores the run in the database, as the engine does. */
    Work running() {
      database
          .jdbi()
          .useHandle(
              h ->
                  h.execute(
                      """
                      INSERT INTO runs (id, kind, definition_hash, provider, workflow, environment,
                                        team, inputs, state, epoch, created_by, created_at)
                      VALUES (?, 'resource', '', 'acme', 'make-db', 'default', 'team-a', '{}',
                              'running', ?, 'ann', now())
                      """,
                      run,
                      epoch));
      return this;
    }

    StepCall call() {
      config.putIfAbsent("binary", program.toString());
      return new StepCall(
          run,
          step(step, config, wanted),
          attempt,
          epoch,
          run + "/" + step + "/" + attempt,
          origin,
          config,
          env,
          memory,
          new StepCall.Scope(
              new NodeRef("application", "guestbook", "default"),
              "default",
              "team-a",
              resource,
              "db",
              "database",
              "acme",
              operation,
              "make-db",
              "ann",
              provider.toString(),
              Grants.NONE),
          Instant.now().plus(timeout),
          Calls.FOREVER,
          Secrets.none(),
          log);
    }

    Result execute() throws InterruptedException {
      return executor.execute(call());
    }

    Map<String, Object> outputs() throws InterruptedException {
      return switch (execute()) {
        case Result.Succeeded done -> done.outputs();
        case Result.Failed failed ->
            throw new AssertionError(failed.error() + "\n" + String.join("\n", log.all()));
        case Result.Parked parked -> throw new AssertionError(parked.toString());
      };
    }

    StepError error() throws InterruptedException {
      return ((Result.Failed) execute()).error();
    }

    /** Another step for the same resource. */
    Work next(String operation) {
      Work next = new Work();
      next.resource = resource;
      next.config.putAll(config);
      next.config.put("operation", operation);
      return next;
    }
  }

  Work work() {
    return new Work();
  }

  private static Step step(String name, Map<String, Object> config, List<String> outputs) {
    return new Step(
        name,
        "terraform",
        config,
        Step.When.ON_SUCCESS,
        List.of(),
        List.of(),
        Duration.ofMinutes(1),
        Retry.ONCE,
        Map.of(),
        outputs,
        null,
        Map.of(),
        Map.of(),
        new Step.OnError(Step.OnError.Action.FAIL, List.of()),
        List.of(),
        Optional.empty());
  }

  String text(String sql) {
    return database.jdbi().withHandle(h -> h.createQuery(sql).mapTo(String.class).one());
  }

  void execute(String sql) {
    database.jdbi().useHandle(h -> h.execute(sql));
  }

  void cutConnections() {
    TestPostgres.cutConnections(
        new TestDatabase(address.jdbcUrl(), address.user(), address.password()));
  }

  @Override
  public void close() {
    database.close();
  }
}
