package dev.slipway.promises;

import dev.slipway.applications.lifecycle.ResourceLifecycle;
import dev.slipway.engine.lifecycle.Lifecycles;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.lifecycle.Transitions;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which states followed which, written down by the database itself in the transactions that change
 * them, so that nothing can be left out.
 */
final class Diary {
  /** Of a run, a step or a resource, in words as stored. */
  record Transition(String of, String from, String to) {}

  private static final String TABLE =
      """
      CREATE TABLE diary (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        what text NOT NULL, from_state text NOT NULL, to_state text NOT NULL);

      CREATE FUNCTION diary() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO diary (what, from_state, to_state)
        VALUES (TG_ARGV[0], CASE TG_OP WHEN 'INSERT' THEN 'pending' ELSE OLD.state END, NEW.state);
        RETURN NULL;
      END $$;

      CREATE FUNCTION diary_of_resources() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO diary (what, from_state, to_state)
        VALUES ('resource', NEW.from_state, NEW.to_state);
        RETURN NULL;
      END $$;

      CREATE TRIGGER diary AFTER UPDATE ON runs FOR EACH ROW
        WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION diary('run');
      CREATE TRIGGER diary AFTER UPDATE ON steps FOR EACH ROW
        WHEN (OLD.state <> NEW.state OR NEW.state = 'running') EXECUTE FUNCTION diary('step');
      CREATE TRIGGER diary_of_firsts AFTER INSERT ON steps FOR EACH ROW
        WHEN (NEW.state <> 'pending' AND NOT NEW.carried) EXECUTE FUNCTION diary('step');
      CREATE TRIGGER diary AFTER INSERT ON resource_transitions FOR EACH ROW
        WHEN (NEW.from_state IS NOT NULL) EXECUTE FUNCTION diary_of_resources();
      """;

  private final Yard yard;
  private final Set<String> read = new HashSet<>();

  /** Reads on from the end of what there is. */
  Diary(Yard yard) {
    this.yard = yard;
    news(transition -> true);
  }

  /** From now on. */
  static void begin(Yard yard) {
    yard.execute(TABLE);
  }

  /** What is there of that kind and was not read yet. */
  Set<Transition> news(Predicate<Transition> which) {
    Set<Transition> news = new LinkedHashSet<>();
    for (String row : yard.rows("SELECT what, from_state, to_state, id FROM diary ORDER BY id")) {
      String[] words = row.split(" ");
      Transition transition = new Transition(words[0], words[1], words[2]);
      if (which.test(transition) && read.add(words[3])) {
        news.add(transition);
      }
    }
    return news;
  }

  /** All that the lifecycles allow. */
  static Set<Transition> allowed() {
    Set<Transition> allowed = new LinkedHashSet<>();
    allowed.addAll(all("run", Lifecycles.RUN));
    allowed.addAll(all("step", Lifecycles.STEP));
    allowed.addAll(all("resource", ResourceLifecycle.TABLE));
    return allowed;
  }

  private static <S extends Enum<S> & State> List<Transition> all(String of, Transitions<S> table) {
    return table.rows().stream()
        .map(row -> new Transition(of, row.from().text(), row.to().text()))
        .toList();
  }
}
