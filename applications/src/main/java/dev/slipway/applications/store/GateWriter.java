package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.GateRecord.Stage;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.progress.Move;
import dev.slipway.applications.progress.Situation;
import dev.slipway.postgres.Rows;
import dev.slipway.postgres.health.GateWaits;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Writes how far gates of resources are. While one waits, samples of its resource signal it. */
final class GateWriter {
  private static final String JUDGED =
      """
      UPDATE resources r SET gate = j.gate, gate_since = j.since, gate_look = j.look
        FROM unnest(?::uuid[], ?::text[], ?::timestamptz[], ?::timestamptz[])
          AS j (id, gate, since, look)
       WHERE r.id = j.id AND r.gate_run = r.run_id
      """;

  private final ApplicationContext context;
  private final Handle handle;
  private final UUID application;
  private final Map<UUID, KnownResource> resources;
  private final List<Move.Judged> judged = new ArrayList<>();
  private final List<GateWaits.Wait> opens = new ArrayList<>();
  private final List<GateWaits.Wait> closes = new ArrayList<>();
  private final Set<UUID> users = new HashSet<>();

  GateWriter(
      ApplicationContext context,
      Handle handle,
      Situation situation,
      Map<UUID, KnownResource> resources) {
    this.context = context;
    this.handle = handle;
    this.application = situation.application();
    this.resources = resources;
  }

  /** Takes the moves that concern gates. */
  void take(Collection<Move> moves) {
    for (Move move : moves) {
      switch (move) {
        case Move.Judged judgement -> judge(judgement);
        case Move.Revive(UUID id) -> leave(id);
        case Move.Start start -> leave(start.resource().id());
        case Move.Transit transit -> {
          if (transit.from() == ResourceState.ACTIVE || transit.from() == ResourceState.DEGRADED) {
            leave(transit.resource());
          }
        }
        case Move.Look _,
            Move.Drop _,
            Move.Cancel _,
            Move.Forget _,
            Move.Complain _,
            Move.Bind _ -> {}
      }
    }
  }

  private void judge(Move.Judged move) {
    judged.add(move);
    KnownResource resource = resource(move.resource());
    Stage stage = move.gate().stage();
    boolean before = resource.health().waiting();
    if (stage == Stage.WAITING && !before) {
      opens.add(wait(application, resource));
    } else if (stage != Stage.WAITING) {
      leave(resource.id());
      users.addAll(resource.users());
    }
  }

  /** The attempt is over, or its gate waits no more. */
  private void leave(UUID id) {
    KnownResource resource = resource(id);
    if (resource.health().waiting()) {
      closes.add(wait(application, resource));
    }
  }

  private KnownResource resource(UUID id) {
    return Objects.requireNonNull(
        resources.get(id), "moves are decided for resources of the situation");
  }

  /** Of the application that moves the resource. */
  static GateWaits.Wait wait(UUID application, KnownResource resource) {
    return new GateWaits.Wait(
        resource.health().node(),
        new GateWaits.Waiter(
            ApplicationKey.KIND, application.toString(), Optional.of(resource.id().toString())));
  }

  /** Other applications that use a resource decide anew when its gate has opened or failed. */
  void write() throws SQLException {
    if (!judged.isEmpty()) {
      try (PreparedStatement update = handle.getConnection().prepareStatement(JUDGED)) {
        Rows.bind(handle.getConnection(), update, judged)
            .column("uuid", Move.Judged::resource)
            .text(j -> j.gate().stage().text())
            .time(j -> j.gate().since())
            .time(j -> j.gate().look());
        update.executeUpdate();
      }
    }
    GateWaits.open(handle, opens);
    GateWaits.close(handle, closes);
    users.remove(application);
    ApplicationKey.signal(handle, users, context.now());
  }
}
