package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.EarlyClaims.Reservation;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Which of the runs that a transaction makes are this replica's from the start. */
final class BornClaimed {
  /** None of them. */
  static final BornClaimed NONE = new BornClaimed(List.of(), Optional.empty());

  private final Optional<Reservation> room;
  private final Set<UUID> ids = new LinkedHashSet<>();

  private BornClaimed(List<NewRun> runs, Optional<Reservation> room) {
    this.room = room;
    runs.forEach(run -> ids.add(run.id()));
  }

  /** As many as this replica has room for, in their order. */
  static BornClaimed of(Handle handle, List<NewRun> made) {
    Optional<Reservation> room = handle.getConfig(LocalClaims.class).reserve(made.size());
    return room.map(r -> new BornClaimed(made.subList(0, r.runs()), room)).orElse(NONE);
  }

  /** Whether some of them have to be claimed. */
  boolean leaves(List<NewRun> made) {
    return ids.size() < made.size();
  }

  @Nullable String owner(NewRun run) {
    return of(run).map(r -> r.owner().text()).orElse(null);
  }

  Instant claimableAt(NewRun run) {
    return of(run).map(Reservation::leaseUntil).orElse(run.creation().at());
  }

  @Nullable Instant startedAt(NewRun run) {
    return of(run).map(Reservation::now).orElse(null);
  }

  @Nullable Instant deadline(NewRun run) {
    return of(run).flatMap(r -> limit(run, r).map(r.now()::plus)).orElse(null);
  }

  private static Optional<Duration> limit(NewRun run, Reservation of) {
    return Stream.of(Optional.ofNullable(run.timeLimit()), of.longest())
        .flatMap(Optional::stream)
        .min(Duration::compareTo);
  }

  private Optional<Reservation> of(NewRun run) {
    return room.filter(r -> ids.contains(run.id()));
  }

  /**
   * When the transaction has been committed, their workers begin with the committed rows: the
   * transaction may still change them after this call.
   */
  void begin(Handle handle) {
    room.ifPresent(
        r -> {
          Jdbi jdbi = handle.getJdbi();
          Owner owner = r.owner();
          handle.afterCommit(
              () ->
                  r.take(Set.copyOf(ids), () -> jdbi.withHandle(h -> Claims.born(h, owner, ids))));
          handle.afterRollback(r::release);
        });
  }

  /** The transaction was rolled back. */
  void drop() {
    room.ifPresent(Reservation::release);
  }
}
