package dev.slipway.postgres.modules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.ModuleStates.Claim;
import dev.slipway.engine.execute.ModuleStates.Glance;
import dev.slipway.engine.execute.ModuleStates.Holder;
import dev.slipway.engine.execute.ModuleStates.Lock;
import dev.slipway.engine.execute.ModuleStates.Workspace;
import dev.slipway.engine.execute.ModuleStates.Written;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresModuleStatesTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private Database database;
  private PostgresModuleStates states;

  @BeforeAll
  void start() {
    database = MigratedDatabase.open();
    states =
        new PostgresModuleStates(database.jdbi(), new SecretBox(new byte[32]), UUID::randomUUID);
  }

  @AfterAll
  void stop() {
    database.close();
  }

  private static Workspace workspace() {
    return new Workspace(
        "resource/" + UUID.randomUUID() + "/db", "acme", UUID.randomUUID(), "team");
  }

  private Holder run(String state) {
    Holder holder = new Holder(UUID.randomUUID(), "make", 1);
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    """
                    INSERT INTO runs (id, kind, definition_hash, provider, workflow, environment,
                                      team, inputs, state, epoch, created_by, created_at)
                    VALUES (?, 'resource', '', 'acme', 'make-db', 'default', 'team', '{}', ?, 1,
                            'ann', now())
                    """,
                    holder.run(),
                    state));
    return holder;
  }

  @Test
  void a_named_workspace_belongs_to_the_team_whose_run_made_it() {
    Workspace ours = new Workspace("named/acme/default/net", "acme", null, "team");
    Workspace theirs = new Workspace(ours.key(), "acme", null, "red");
    Lock lock = held(ours, run("running"));
    assertThat(states.claim(theirs, run("running"), NOW)).isInstanceOf(Claim.Foreign.class);
    states.write(lock, bytes("secret"), NOW);
    states.release(lock);
    assertThat(states.claim(theirs, run("running"), NOW)).isInstanceOf(Claim.Foreign.class);
    assertThat(states.look(theirs)).isInstanceOf(Glance.Foreign.class);
    assertThat(seen(ours)).isEqualTo("secret");
    states.forget(held(ours, run("running")));
    assertThat(states.claim(theirs, run("running"), NOW)).isInstanceOf(Claim.Held.class);
  }

  private Lock held(Workspace workspace, Holder holder) {
    return ((Claim.Held) states.claim(workspace, holder, NOW)).lock();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private String seen(Workspace workspace) {
    return new String(((Glance.State) states.look(workspace)).bytes(), StandardCharsets.UTF_8);
  }

  private List<Long> versions(Workspace workspace) {
    return database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery("SELECT version FROM module_states WHERE workspace = ? ORDER BY 1")
                    .bind(0, workspace.key())
                    .mapTo(Long.class)
                    .list());
  }

  @Test
  void each_lock_writes_one_version_and_the_last_ten_are_kept() {
    Workspace workspace = workspace();
    for (int i = 1; i <= 12; i++) {
      Lock lock = held(workspace, run("running"));
      states.write(lock, bytes("half " + i), NOW);
      assertThat(states.write(lock, bytes("state " + i), NOW)).isEqualTo(Written.KEPT);
      assertThat(states.release(lock)).isTrue();
    }
    assertThat(seen(workspace)).isEqualTo("state 12");
    assertThat(versions(workspace)).containsExactly(3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L, 12L);
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "UPDATE module_workspaces SET version = 5 WHERE key = ?", workspace.key()));
    assertThat(seen(workspace)).isEqualTo("state 5");
    Lock lock = held(workspace, run("running"));
    states.write(lock, bytes("after 5"), NOW);
    assertThat(seen(workspace)).isEqualTo("after 5");
    assertThat(versions(workspace)).endsWith(12L, 13L);
  }

  @Test
  void only_one_of_many_gets_the_lock() {
    Workspace workspace = workspace();
    List<Holder> runs = IntStream.range(0, 8).mapToObj(_ -> run("running")).toList();
    var held = ConcurrentHashMap.newKeySet();
    List<Thread> threads =
        runs.stream()
            .map(
                r ->
                    Thread.startVirtualThread(
                        () -> {
                          if (states.claim(workspace, r, NOW) instanceof Claim.Held h) {
                            held.add(h.lock());
                          }
                        }))
            .toList();
    threads.forEach(
        t -> {
          try {
            t.join();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    assertThat(held).hasSize(1);
  }

  @Test
  void a_step_that_lost_the_lock_changes_nothing_and_its_state_is_kept_as_refused() {
    Workspace workspace = workspace();
    Lock old = held(workspace, run("failed"));
    states.write(old, bytes("old"), NOW);
    Lock mine = held(workspace, run("running"));

    assertThat(states.write(old, bytes("late"), NOW)).isEqualTo(Written.REFUSED);
    assertThat(states.write(old, bytes("later"), NOW)).isEqualTo(Written.REFUSED);
    assertThat(states.release(old)).isFalse();
    assertThat(states.forget(old)).isFalse();
    assertThat(seen(workspace)).isEqualTo("old");
    assertThat(versions(workspace)).containsExactly(1L, 2L);
    assertThat(states.write(mine, bytes("new"), NOW)).isEqualTo(Written.KEPT);
    assertThat(seen(workspace)).isEqualTo("new");
  }

  @Test
  void a_step_takes_over_its_own_lock_and_never_that_of_its_successor() {
    Workspace workspace = workspace();
    Holder first = run("running");
    Lock old = held(workspace, first);
    database
        .jdbi()
        .useHandle(h -> h.execute("UPDATE runs SET epoch = 2 WHERE id = ?", first.run()));
    Claim.Held second =
        (Claim.Held) states.claim(workspace, new Holder(first.run(), "make", 2), NOW);
    assertThat(second.before()).contains(old);
    assertThat(states.claim(workspace, first, NOW)).isInstanceOf(Claim.Fenced.class);
    assertThat(states.claim(workspace, new Holder(first.run(), "other", 2), NOW))
        .isInstanceOf(Claim.Busy.class);
  }

  @Test
  void a_lock_of_another_run_is_respected_and_its_holder_named() {
    Workspace workspace = workspace();
    Holder first = run("waiting");
    held(workspace, first);
    assertThat(states.claim(workspace, run("running"), NOW.plusSeconds(5)))
        .isEqualTo(new Claim.Busy(first, "make-db", "ann", NOW));
  }

  @Test
  void a_forgotten_workspace_begins_anew() {
    Workspace workspace = workspace();
    Lock lock = held(workspace, run("running"));
    states.write(lock, bytes("state"), NOW);
    assertThat(states.forget(lock)).isTrue();
    assertThat(states.look(workspace)).isEqualTo(new Glance.None());
    assertThat(versions(workspace)).isEmpty();
  }

  @Test
  void a_state_under_another_key_says_so() {
    Workspace workspace = workspace();
    states.write(held(workspace, run("running")), bytes("state"), NOW);
    byte[] other = new byte[32];
    other[0] = 1;
    PostgresModuleStates stranger =
        new PostgresModuleStates(database.jdbi(), new SecretBox(other), UUID::randomUUID);
    org.assertj.core.api.Assertions.assertThatThrownBy(() -> stranger.look(workspace))
        .hasMessageContaining("key");
  }
}
