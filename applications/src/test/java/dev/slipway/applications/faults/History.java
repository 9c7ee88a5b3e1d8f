package dev.slipway.applications.faults;

import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.workflow.Step;
import dev.slipway.engine.workflow.Workflow;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jdbi.v3.core.Jdbi;

/** All that was ever committed about runs and steps, kept by triggers, and what must hold of it. */
final class History {
  private static final String FINISHED = "('succeeded', 'failed', 'partial', 'cancelled')";
  private static final Set<String> DONE =
      Set.of("succeeded", "failed", "skipped", "cancelled", "rolled-back");

  private static final List<String> TRIGGERS =
      List.of(
          """
          CREATE TABLE seen_runs (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id uuid,
            state text, owner text, epoch bigint, version bigint, claimable_at timestamptz)
          """,
          """
          CREATE TABLE seen_steps (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, tx xid8,
            id uuid, name text, state text, attempt int)
          """,
          """
          CREATE FUNCTION see_run() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO seen_runs (id, state, owner, epoch, version, claimable_at)
            VALUES (NEW.id, NEW.state, NEW.owner, NEW.epoch, NEW.version, NEW.claimable_at);
            RETURN NULL; END $$
          """,
          """
          CREATE FUNCTION see_step() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO seen_steps (tx, id, name, state, attempt)
            VALUES (pg_current_xact_id(), NEW.run_id, NEW.name, NEW.state, NEW.attempt);
            RETURN NULL; END $$
          """,
          "CREATE TABLE seen_requests (goal text)",
          "CREATE TRIGGER see AFTER INSERT OR UPDATE ON runs"
              + " FOR EACH ROW EXECUTE FUNCTION see_run()",
          "CREATE TRIGGER see AFTER INSERT OR UPDATE ON steps"
              + " FOR EACH ROW EXECUTE FUNCTION see_step()");

  /** Each finds what must not be, in words. */
  private static final List<String> NEVER =
      List.of(
          """
          SELECT format('run %s has ended as %s and changes', id, was)
            FROM (SELECT id, lag(state) OVER (PARTITION BY id ORDER BY n) AS was FROM seen_runs) r
           WHERE was IN FINISHED
          """,
          """
          SELECT format('run %s is claimed by %s while %s holds it', id, owner, by)
            FROM (SELECT *, lag(epoch) OVER own AS before, lag(owner) OVER own AS by,
                         lag(claimable_at) OVER own AS until
                    FROM seen_runs WINDOW own AS (PARTITION BY id ORDER BY n)) r
           WHERE epoch > before AND by IS NOT NULL AND until > claimable_at - interval 'LEASE'
          """,
          """
          SELECT format('run %s goes from version %s of epoch %s to %s of %s', id, was, before,
                        version, epoch)
            FROM (SELECT *, lag(version) OVER own AS was, lag(epoch) OVER own AS before
                    FROM seen_runs WINDOW own AS (PARTITION BY id ORDER BY n)) r
           WHERE version < was OR version > was + 1 OR epoch < before OR epoch > before + 1
          """,
          """
          SELECT format('%s/%s has ended as %s and becomes %s', id, name, was, state)
            FROM (SELECT *, lag(state) OVER (PARTITION BY id, name ORDER BY n) AS was
                    FROM seen_steps) s
           WHERE was IN ('failed', 'skipped', 'cancelled', 'rolled-back')
              OR was = 'succeeded' AND state <> 'rolled-back'
          """,
          """
          SELECT format('%s/%s goes from attempt %s to %s', id, name, was, attempt)
            FROM (SELECT *, lag(attempt) OVER (PARTITION BY id, name ORDER BY n) AS was
                    FROM seen_steps) s
           WHERE attempt < was OR attempt > was + 1
          """,
          """
          SELECT format('the end of run %s, which is %s, is written %s times', r.id, r.state,
                        count(e.id))
            FROM runs r LEFT JOIN events e ON e.data ->> 'runId' = r.id::text
             AND e.type IN ('workflow.completed', 'workflow.failed', 'workflow.cancelled')
           GROUP BY r.id, r.state
          HAVING count(e.id) <> CASE WHEN r.state IN FINISHED THEN 1 ELSE 0 END
              OR min(e.type) <> CASE r.state WHEN 'failed' THEN 'workflow.failed'
                                             WHEN 'cancelled' THEN 'workflow.cancelled'
                                             ELSE 'workflow.completed' END
          """,
          """
          SELECT format('%s of %s/%s is written %s times', type, data ->> 'runId', data ->> 'step',
                        count(*))
            FROM events
           WHERE type LIKE 'step.%' AND type <> 'step.waiting' AND data ->> 'recovered' IS NULL
           GROUP BY type, data ->> 'runId', data ->> 'step', data ->> 'attempt'
          HAVING count(*) > 1
          """,
          """
          SELECT format('%s of %s/%s/%s is written 0 times', w.type, s.run_id, s.name, w.attempt)
            FROM steps s CROSS JOIN LATERAL (
                   SELECT 'step.' || CASE s.state WHEN 'succeeded' THEN 'completed'
                                                  ELSE s.state END AS type, s.attempt
                    WHERE s.state IN ('succeeded', 'failed', 'skipped', 'rolled-back')
                    UNION ALL
                   SELECT 'step.completed', s.attempt WHERE s.state = 'rolled-back'
                    UNION ALL
                   SELECT 'step.started', generate_series(1, s.attempt)
                    WHERE s.state IN ('succeeded', 'rolled-back')) w
           WHERE NOT EXISTS (SELECT 1 FROM events e
                   WHERE e.type = w.type AND e.data ->> 'runId' = s.run_id::text
                     AND e.data ->> 'step' = s.name AND e.data ->> 'recovered' IS NULL
                     AND e.data ->> 'attempt' = w.attempt::text)
          """,
          """
          SELECT format('resource %s goes from %s to %s but was %s', resource_id, from_state,
                        to_state, was)
            FROM (SELECT *, lag(to_state) OVER (PARTITION BY resource_id ORDER BY id) AS was
                    FROM resource_transitions) t
           WHERE was IS DISTINCT FROM from_state AND was IS NOT NULL
          """,
          """
          SELECT format('resource %s is %s, its history says %s', r.name, r.state, t.to_state)
            FROM resources r CROSS JOIN LATERAL (SELECT to_state FROM resource_transitions
                   WHERE resource_id = r.id ORDER BY id DESC LIMIT 1) t
           WHERE t.to_state <> r.state
          """);

  /** The same, when all is said to be over. */
  private static final List<String> AT_THE_END =
      List.of(
          """
          SELECT format('run %s (%s) never ends: it is %s, held by %s, due at %s', id, workflow,
                        state, owner, claimable_at)
            FROM runs WHERE state NOT IN FINISHED
          """,
          """
          SELECT format('run %s has ended, but is held by %s until %s', id, owner, claimable_at)
            FROM runs WHERE state IN FINISHED AND (owner IS NOT NULL OR claimable_at IS NOT NULL)
          """,
          """
          SELECT format('run %s has ended and its step %s is %s', s.run_id, s.name, s.state)
            FROM steps s JOIN runs r ON r.id = s.run_id
           WHERE r.state IN FINISHED AND s.state IN ('pending', 'running', 'waiting')
          """,
          """
          SELECT format('run %s (%s) has ended as %s at %s and an approval is still pending for %s'
                        ' since %s', a.run_id, r.workflow, r.state, r.finished_at, a.step,
                        a.created_at)
            FROM approvals a JOIN runs r ON r.id = a.run_id WHERE a.state = 'pending'
          """,
          """
          SELECT format('%s/%s succeeded, its run is %s', p.id, c.parent_step, c.state)
            FROM runs c JOIN runs p ON p.id = c.parent_run_id AND c.kind = 'child'
            JOIN steps s ON s.run_id = p.id AND s.name = c.parent_step
             AND s.attempt = c.parent_attempt
           WHERE s.state = 'succeeded' AND c.state <> 'succeeded'
          """,
          """
          SELECT format('run %s says that its undoing is %s, which is %s', p.id, p.rollback,
                        c.state)
            FROM runs c JOIN runs p ON p.id = c.parent_run_id AND c.kind = 'rollback'
           WHERE (p.rollback = 'complete') <> (c.state = 'succeeded')
          """,
          """
          SELECT format('%s/%s was called twice', parent_run_id, parent_step)
            FROM runs WHERE kind IN ('child', 'rollback')
           GROUP BY parent_run_id, parent_step, parent_attempt HAVING count(*) > 1
          """,
          """
          SELECT format('resource %s is %s, its run is %s', r.name, r.state, u.state)
            FROM resources r LEFT JOIN runs u ON u.id = r.run_id
           WHERE r.state NOT IN ('active', 'deleted') OR u.state <> 'succeeded'
          """,
          """
          SELECT format('%s was carried out %s times', w.goal, count(s.goal))
            FROM unnest(ARRAY[GOALS]) AS w (goal) LEFT JOIN seen_requests s ON s.goal = w.goal
           GROUP BY w.goal HAVING count(s.goal) <> 1
          """);

  /** A write that was answered with success. */
  private record Written(UUID run, long epoch, long version) {}

  private record Seen(String tx, UUID run, String workflow, String name, String state) {}

  private final Jdbi jdbi;
  private final String lease;
  private final Queue<Written> written = new ConcurrentLinkedQueue<>();

  History(Jdbi jdbi, java.time.Duration lease) {
    this.jdbi = jdbi;
    this.lease = lease.toSeconds() + " s";
  }

  static void install(Jdbi jdbi) {
    jdbi.useHandle(h -> TRIGGERS.forEach(h::execute));
  }

  /** Takes down which writes are answered with success. */
  RunStore around(RunStore store) {
    return (RunStore)
        Proxy.newProxyInstance(
            RunStore.class.getClassLoader(),
            new Class<?>[] {RunStore.class},
            (proxy, method, arguments) -> {
              Object answer = SeededFaults.invoke(store, method, arguments);
              if (answer instanceof CompletableFuture<?> future
                  && arguments[0] instanceof RunWrite write) {
                return future.thenApply(
                    outcome -> {
                      if (outcome == RunStore.Outcome.WRITTEN) {
                        written.add(new Written(write.run(), write.epoch(), write.version()));
                      }
                      return outcome;
                    });
              }
              return answer;
            });
  }

  /** What must never have been. */
  List<String> violations(Map<String, Workflow> workflows) {
    List<String> found = new ArrayList<>();
    NEVER.forEach(rule -> found.addAll(ask(rule)));
    fencing(found);
    turns(workflows, found);
    return found;
  }

  /** What must not be when everything has come to its end. */
  List<String> leftovers(Witness witness) {
    List<String> found = new ArrayList<>();
    AT_THE_END.forEach(rule -> found.addAll(ask(rule)));
    Set<String> effects = witness.effects();
    for (String key :
        ask(
            "SELECT s.run_id || '/' || s.name || '/' || s.attempt FROM steps s"
                + " WHERE s.state = 'succeeded' AND s.name NOT IN ('ask', 'nap', 'call')")) {
      if (!effects.contains(key)) {
        found.add(key + " succeeded, but its effect was lost");
      }
    }
    logs(witness, found);
    return found;
  }

  private void logs(Witness witness, List<String> found) {
    String all = String.join("\n", ask("SELECT lines FROM step_logs"));
    Set<String> last = new HashSet<>(ask("SELECT id || ' by ' || epoch FROM runs"));
    for (String line : witness.lines()) {
      int times = all.split("\"" + line + "\"", -1).length - 1;
      boolean stays = last.contains(line.replaceAll("/.* by ", " by "));
      if (times > 1 || times == 0 && stays) {
        found.add("'%s' is %d times in the log".formatted(line, times));
      }
    }
  }

  private List<String> ask(String rule) {
    String sql =
        rule.replace("FINISHED", FINISHED).replace("LEASE", lease).replace("GOALS", Shop.goals());
    return jdbi.withHandle(h -> h.createQuery(sql).mapTo(String.class).list());
  }

  /** A write belongs to the epoch that it was made for, and is there when it is said to be. */
  private void fencing(List<String> found) {
    Map<String, Long> epochs = new HashMap<>();
    jdbi.useHandle(
        h ->
            h.createQuery(
                    "SELECT DISTINCT ON (id, version) id, version, epoch FROM seen_runs"
                        + " ORDER BY id, version, n")
                .map((rs, c) -> epochs.put(rs.getString(1) + " " + rs.getLong(2), rs.getLong(3)))
                .list());
    for (Written write : written) {
      Long epoch = epochs.get(write.run() + " " + (write.version() + 1));
      if (epoch == null) {
        found.add("a write to run %s is not there: %s".formatted(write.run(), write));
      } else if (epoch != write.epoch()) {
        found.add(
            "run %s is written to by a former owner (epoch %d, now %d)"
                .formatted(write.run(), write.epoch(), epoch));
      }
    }
  }

  /** No step begins before those it depends on have ended; undoing goes backwards. */
  private void turns(Map<String, Workflow> workflows, List<String> found) {
    Map<String, String> ended = new HashMap<>();
    Set<String> begun = new HashSet<>();
    List<Seen> all =
        jdbi.withHandle(
            h ->
                h.createQuery(
                        "SELECT s.tx::text, s.id, r.kind || ' ' || r.workflow, s.name, s.state"
                            + " FROM seen_steps s JOIN runs r ON r.id = s.id ORDER BY s.n")
                    .map(
                        (rs, c) ->
                            new Seen(
                                rs.getString(1),
                                rs.getObject(2, UUID.class),
                                rs.getString(3),
                                rs.getString(4),
                                rs.getString(5)))
                    .list());
    for (Seen seen : all) {
      if (DONE.contains(seen.state())) {
        ended.putIfAbsent(seen.run() + "/" + seen.name(), seen.tx());
      }
    }
    Set<String> over = new HashSet<>();
    for (Seen seen : all) {
      if (DONE.contains(seen.state())) {
        over.add(seen.run() + "/" + seen.name());
      } else if (begun.add(seen.run() + "/" + seen.name())) {
        for (String dependency : before(workflows, seen)) {
          String key = seen.run() + "/" + dependency;
          if (!over.contains(key) && !seen.tx().equals(ended.get(key))) {
            found.add(
                "%s/%s begins before %s has ended".formatted(seen.run(), seen.name(), dependency));
          }
        }
      }
    }
  }

  private static List<String> before(Map<String, Workflow> workflows, Seen seen) {
    if (seen.workflow().startsWith("rollback ")) {
      return seen.name().equals("one/undo-one") ? List.of("two/undo-two") : List.of();
    }
    Workflow workflow = workflows.get(seen.workflow().replaceAll("^[^ ]* ", ""));
    return workflow == null
        ? List.of()
        : workflow.step(seen.name()).map(Step::dependsOn).map(List::copyOf).orElse(List.of());
  }
}
