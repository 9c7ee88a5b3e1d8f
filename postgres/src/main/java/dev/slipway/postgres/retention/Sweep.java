package dev.slipway.postgres.retention;

import dev.slipway.engine.resolve.AdminConfig.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * One walk through a table, a batch of keys after the other, and what each batch removes. A walk
 * looks at rows in the order of a key, so a batch costs the same at the beginning and at the end,
 * and rows that stay are passed over once a walk.
 *
 * <p>Removals bind {@code :keys} (the batch), {@code :before} (now minus {@code kept}) and the
 * {@code counts} by name. They lock rows with SKIP LOCKED: a transaction that works with a row
 * keeps it for the next walk.
 *
 * @param type of the key
 * @param start a key before all others
 * @param look the next keys: binds {@code :after}, {@code :before} and {@code :count}
 * @param counts how many of something are kept however old, by the name that a removal binds
 */
public record Sweep(
    String name,
    String type,
    String start,
    Function<Retention, Duration> kept,
    String look,
    List<String> removals,
    Map<String, Function<Retention, Integer>> counts) {
  /** A key before all others of type uuid. */
  public static final String FIRST_ID = "00000000-0000-0000-0000-000000000000";

  /** The next ids of a table. */
  public static final String IDS =
      "SELECT t.id::text FROM %s t WHERE t.id > CAST(:after AS uuid) ORDER BY t.id LIMIT :count";

  /** How many changes of a node are kept, however old. */
  public static final int NEWEST = 20;

  /** One whose removals bind no counts. */
  public Sweep(
      String name,
      String type,
      String start,
      Function<Retention, Duration> kept,
      String look,
      List<String> removals) {
    this(name, type, start, kept, look, removals, Map.of());
  }

  /** A walk through a table in the order of its ids. */
  public static Sweep byId(
      String table, Function<Retention, Duration> kept, List<String> removals) {
    return new Sweep(table, "uuid", FIRST_ID, kept, IDS.formatted(table), removals);
  }

  /**
   * Those of branches and the trunk, ordered so that each sweep makes rows eligible for the next.
   */
  public static List<Sweep> all(List<Sweep> ofBranches) {
    List<Sweep> all = new ArrayList<>(ofBranches);
    all.addAll(TrunkSweeps.ALL);
    return List.copyOf(all);
  }
}
