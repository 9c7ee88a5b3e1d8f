package dev.slipway.postgres.leases;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a group's keys that this replica works on. A key belongs to a shard by its hash, and
 * each shard is a lease. The replicas of a group find each other by a membership lease that each of
 * them holds.
 */
public final class Shards {
  private static final Logger LOG = LoggerFactory.getLogger(Shards.class);
  private static final String SHARD = "shard ";
  static final String MEMBER = "member ";

  private final Leases leases;
  private final Group group;
  private final ShardListener listener;
  private final BlockingQueue<Change> changes;
  private final Thread thread;

  /** Written by passes, read by all threads. */
  private final ConcurrentSkipListMap<Integer, Lease> held = new ConcurrentSkipListMap<>();

  /** Shards to release when the listener has stopped working on them. */
  private final Map<Integer, Lease> leaving = new HashMap<>();

  private final Set<Integer> letGo = ConcurrentHashMap.newKeySet();
  private final Map<Integer, Lease> announced = new TreeMap<>();

  /** A group's name and number of shards. */
  record Group(String name, int count) {
    Group {
      if (name.isBlank() || name.contains(" ") || count < 1) {
        throw new IllegalArgumentException("no group of shards: '" + name + "', " + count);
      }
    }

    String shards() {
      return SHARD + name + " ";
    }

    String members() {
      return MEMBER + name + " ";
    }

    String membersAlike() {
      return members() + count + " ";
    }

    List<String> shardNames() {
      return IntStream.range(0, count).mapToObj(i -> shards() + i).toList();
    }
  }

  /** A change for the listener. */
  private sealed interface Change {
    record Gained(int shard, Lease lease) implements Change {}

    record Lost(int shard) implements Change {}

    record End() implements Change {}
  }

  Shards(Leases leases, Group group, ShardListener listener) {
    this.leases = leases;
    this.group = group;
    this.listener = listener;
    this.changes = leases.threads().mailbox();
    this.thread = leases.threads().attend("shards " + group.name(), this::listen);
  }

  /** Whether the name is reserved for leases of groups. */
  static boolean reserves(String name) {
    return name.startsWith(SHARD) || name.startsWith(MEMBER);
  }

  /** The shard of the key; equal on all replicas. */
  public int shardOf(String key) {
    CRC32C hash = new CRC32C();
    hash.update(key.getBytes(StandardCharsets.UTF_8));
    return (int) (hash.getValue() % group.count());
  }

  /** Whether this replica works on the key. */
  public boolean holds(String key) {
    return lease(key).isPresent();
  }

  /** The lease under which this replica works on the key, if it does. */
  public Optional<Lease> lease(String key) {
    return Optional.ofNullable(held.get(shardOf(key))).filter(l -> l.lasts(Duration.ZERO));
  }

  /** The shards of this replica. */
  public Set<Integer> held() {
    return held.entrySet().stream()
        .filter(e -> e.getValue().lasts(Duration.ZERO))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Takes missing shards or releases surplus ones; called within a pass. */
  void spread() {
    held.values().removeIf(lease -> !leases.tracks(lease));
    leaving.values().removeIf(lease -> !leases.tracks(lease));
    giveBack();
    String me = group.membersAlike() + leases.owner();
    List<LeaseRows.Row> rows = rows(me);
    int quota = Spread.quota(holding(rows), group.count(), leases.owner());
    for (int surplus = held.size() - quota; surplus > 0; surplus--) {
      Map.Entry<Integer, Lease> last = held.pollLastEntry();
      leaving.put(last.getKey(), last.getValue());
    }
    if (held.size() < quota && alike(rows)) {
      take(rows, quota - held.size());
    }
  }

  /** The group's rows, including that of this replica. */
  private List<LeaseRows.Row> rows(String me) {
    List<LeaseRows.Row> rows = read();
    Set<String> names = rows.stream().map(LeaseRows.Row::name).collect(Collectors.toSet());
    boolean complete = names.containsAll(group.shardNames());
    boolean member =
        rows.stream()
            .anyMatch(
                row -> row.name().equals(me) && row.live() && row.owner().equals(leases.owner()));
    if (complete && member) {
      return rows;
    }
    leases
        .session()
        .ask(
            h -> {
              LeaseRows.make(h, List.of(me), leases.now());
              LeaseRows.make(h, group.shardNames(), leases.now());
              return true;
            });
    leases.take(List.of(me), 1);
    return read();
  }

  private List<LeaseRows.Row> read() {
    return leases
        .session()
        .ask(h -> LeaseRows.beginning(h, List.of(group.shards(), group.members()), leases.now()));
  }

  private Map<String, Integer> holding(List<LeaseRows.Row> rows) {
    Map<String, Integer> holding = new HashMap<>();
    for (LeaseRows.Row row : rows) {
      if (row.live() && row.name().startsWith(group.membersAlike())) {
        holding.putIfAbsent(row.owner(), 0);
      }
    }
    for (LeaseRows.Row row : rows) {
      if (row.live() && row.name().startsWith(SHARD)) {
        holding.computeIfPresent(row.owner(), (owner, n) -> n + 1);
      }
    }
    return holding;
  }

  /** Replicas with another number of shards map other keys to the same shard. */
  private boolean alike(List<LeaseRows.Row> rows) {
    Optional<String> other =
        rows.stream()
            .filter(row -> row.live() && row.name().startsWith(group.members()))
            .map(LeaseRows.Row::name)
            .filter(name -> !name.startsWith(group.membersAlike()))
            .findFirst();
    other.ifPresent(
        name ->
            LOG.warn(
                "shards of '{}' wait: this replica counts {} of them, another one does not ({})",
                group.name(),
                group.count(),
                name));
    return other.isEmpty();
  }

  private void take(List<LeaseRows.Row> rows, int most) {
    Set<String> names = Set.copyOf(group.shardNames());
    List<String> free =
        rows.stream()
            .filter(row -> !row.live() && names.contains(row.name()))
            .map(LeaseRows.Row::name)
            .toList();
    if (!free.isEmpty()) {
      leases.take(free, most).forEach(lease -> held.put(number(lease), lease));
    }
  }

  private int number(Lease lease) {
    return Integer.parseInt(lease.name().substring(group.shards().length()));
  }

  private void giveBack() {
    List<Lease> over =
        leaving.entrySet().stream()
            .filter(e -> letGo.contains(e.getKey()))
            .map(Map.Entry::getValue)
            .toList();
    leases.release(over);
    leaving.values().removeAll(over);
  }

  /** Queues the changes since the last pass for the listener. */
  void tell() {
    Map<Integer, Lease> now = new TreeMap<>(held);
    now.values().removeIf(lease -> !lease.lasts(Duration.ZERO));
    for (Map.Entry<Integer, Lease> before : Map.copyOf(announced).entrySet()) {
      if (now.get(before.getKey()) != before.getValue()) {
        announced.remove(before.getKey());
        letGo.remove(before.getKey());
        changes.add(new Change.Lost(before.getKey()));
      }
    }
    now.keySet().removeAll(announced.keySet());
    now.forEach(
        (shard, lease) -> {
          announced.put(shard, lease);
          changes.add(new Change.Gained(shard, lease));
        });
  }

  private void listen() {
    try {
      boolean more = true;
      while (more) {
        more = apply(changes.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether there may be more. */
  private boolean apply(Change change) {
    try {
      switch (change) {
        case Change.Gained gained -> listener.gained(gained.shard(), gained.lease());
        case Change.Lost lost -> listener.lost(lost.shard());
        case Change.End end -> {
          return false;
        }
      }
    } catch (RuntimeException e) {
      LOG.error("the listener of shards '{}' failed at {}", group.name(), change, e);
    }
    if (change instanceof Change.Lost lost) {
      letGo.add(lost.shard());
      leases.wake();
    }
    return true;
  }

  /** Revokes all shards from the listener; returns the names of those that it still works on. */
  Set<String> end(Duration patience) {
    Map<Integer, Lease> all;
    synchronized (leases) {
      leaving.putAll(held);
      all = Map.copyOf(leaving);
      held.clear();
      tell();
    }
    changes.add(new Change.End());
    try {
      thread.join(patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return all.entrySet().stream()
        .filter(e -> !letGo.contains(e.getKey()))
        .map(e -> e.getValue().name())
        .collect(Collectors.toCollection(HashSet::new));
  }
}
