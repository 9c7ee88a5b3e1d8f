package dev.slipway.steps.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.ModuleStates;
import dev.slipway.engine.execute.ModuleStates.Claim;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.modules.PostgresModuleStates;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.SettableClock;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StateKeeperTest {
  private static final SecretBox BOX = new SecretBox(new byte[32]);
  private static final String STATE = "{\"serial\": 1}";
  private static TestDatabase fresh;
  private static Database database;

  @TempDir Path directory;

  private final SettableClock clock = new SettableClock();
  private final ModuleStates states = over(database);
  private final ModuleStates.Workspace workspace =
      new ModuleStates.Workspace("acme/" + UUID.randomUUID(), "acme", null, "team-a");

  @BeforeAll
  static void open() {
    fresh = TestPostgres.freshDatabase();
    database = Database.open(address(fresh), 2);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @ParameterizedTest
  @EnumSource(StateKeeper.Leave.class)
  void a_lock_that_was_given_back_without_an_answer_was_not_lost(StateKeeper.Leave leave)
      throws IOException {
    Claim.Held held = claim();
    AtomicInteger cuts = new AtomicInteger();
    try (PostgresProxy proxy = PostgresProxy.of(fresh);
        Database through = Database.open(address(proxy.through(fresh)), 2)) {
      StateKeeper keeper = keeper(over(through), held);
      proxy.watch(
          new PostgresProxy.CommitWatch() {
            @Override
            public void after(PostgresProxy.Transaction transaction) {
              boolean leaves =
                  transaction.statements().stream()
                      .anyMatch(
                          s ->
                              s.contains("lock_id = NULL")
                                  || s.contains("DELETE FROM module_workspaces"));
              if (leaves && cuts.getAndIncrement() == 0) {
                throw new PostgresProxy.Cut();
              }
            }
          });

      assertThat(keeper.close(leave)).isEqualTo(StateKeeper.Kept.ALL);
    }
    assertThat(cuts).hasPositiveValue();
    assertThat(claim().state().map(String::new)).isEqualTo(state(leave));
  }

  @Test
  void a_lock_that_another_run_has_taken_is_lost() throws IOException {
    StateKeeper keeper = keeper(states, claim());
    claim();

    assertThat(keeper.close(StateKeeper.Leave.RELEASE)).isEqualTo(StateKeeper.Kept.LOST);
  }

  @Test
  void a_state_that_an_error_kept_from_being_stored_is_not_called_saved() throws IOException {
    ModuleStates broken =
        (ModuleStates)
            Proxy.newProxyInstance(
                ModuleStates.class.getClassLoader(),
                new Class<?>[] {ModuleStates.class},
                (proxy, method, arguments) -> {
                  throw new NoClassDefFoundError("dev/slipway/Gone");
                });

    assertThat(keeper(broken, claim()).close(StateKeeper.Leave.RELEASE))
        .isEqualTo(StateKeeper.Kept.NOT_SAVED);
  }

  private Claim.Held claim() {
    // The run is not in the database, so the next holder may take the lock.
    ModuleStates.Holder holder = new ModuleStates.Holder(UUID.randomUUID(), "apply", 1);
    return (Claim.Held) states.claim(workspace, holder, clock.instant());
  }

  private StateKeeper keeper(ModuleStates over, Claim.Held held) throws IOException {
    Path file = directory.resolve("terraform.tfstate");
    Files.writeString(file, STATE);
    StateKeeper keeper = new StateKeeper(over, held.lock(), clock, (stream, line) -> {});
    keeper.watch(file, Optional.empty(), () -> {});
    return keeper;
  }

  private static Optional<String> state(StateKeeper.Leave leave) {
    return leave == StateKeeper.Leave.FORGET ? Optional.empty() : Optional.of(STATE);
  }

  private static ModuleStates over(Database some) {
    return new PostgresModuleStates(some.jdbi(), BOX, UUID::randomUUID);
  }

  private static Database.Address address(TestDatabase some) {
    return new Database.Address(some.jdbcUrl(), some.user(), some.password());
  }
}
