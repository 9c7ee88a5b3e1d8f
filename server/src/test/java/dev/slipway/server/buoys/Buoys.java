package dev.slipway.server.buoys;

import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.NodeView;
import dev.slipway.postgres.nodes.NodeSource;
import dev.slipway.postgres.overview.CountedRows;
import dev.slipway.postgres.reconcile.Next;
import dev.slipway.postgres.reconcile.Reconciler;
import dev.slipway.postgres.reconcile.Signals;
import dev.slipway.postgres.reconcile.Wake;
import dev.slipway.postgres.retention.Sweep;
import dev.slipway.postgres.runs.RunsKept;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Fields;
import dev.slipway.web.Lists;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.access.Action;
import dev.slipway.web.branch.OpenBranch;
import dev.slipway.web.branch.Trunk;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Buoys on a trunk. */
final class Buoys implements OpenBranch, Reconciler, NodeSource {
  static final NodeKind NODE = new NodeKind("buoy", "buoy", NodeKind.Scope.INSTALLATION);

  private final Trunk trunk;

  Buoys(Trunk trunk) {
    this.trunk = trunk;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get("/api/buoys")
            .needs(Action.READ)
            .named("listBuoys", "Buoys by name")
            .paged()
            .gives(200, "a piece of the list", "Buoy[]")
            .by(call -> Lists.piece(call, rows(""))),
        Route.get("/api/buoys/{name}")
            .needs(Action.READ)
            .named("showBuoy", "One buoy")
            .gives(200, "the buoy", "Buoy")
            .by(call -> Answer.ok(one(call.path("name")))),
        Route.post("/api/buoys")
            .needs(Action.CHANGE)
            .named("createBuoy", "Throw a buoy into the water")
            .takes(Route.Content.JSON, "NewBuoy")
            .gives(201, "adrift until it is moored", "Buoy")
            .by(this::create));
  }

  private Answer create(Call call) {
    Fields fields = call.json().only("name", "team");
    String name = fields.requiredText("name");
    String team = fields.requiredText("team");
    call.touch("team", team, team);
    trunk
        .jdbi()
        .useTransaction(
            h -> {
              h.execute("INSERT INTO buoys VALUES (?, ?, 'adrift')", name, team);
              Signals.add(h, kind(), List.of(name), trunk.clock().instant());
            });
    return Answer.of(201, one(name));
  }

  private Map<String, Object> one(String name) {
    return rows(name).stream()
        .findFirst()
        .orElseThrow(() -> Problem.notFound("buoy", name).exception());
  }

  private List<Map<String, Object>> rows(String name) {
    Object depth =
        trunk
            .config()
            .get()
            .integrations()
            .getOrDefault("buoys", Map.of())
            .getOrDefault("depth", 0);
    return trunk
        .jdbi()
        .withHandle(
            h ->
                h.createQuery("SELECT name, team, state FROM buoys WHERE :name IN ('', name)")
                    .bind("name", name)
                    .map(
                        (row, _) ->
                            Map.<String, Object>of(
                                "name",
                                row.getString(1),
                                "team",
                                row.getString(2),
                                "state",
                                row.getString(3),
                                "depth",
                                depth))
                    .list());
  }

  @Override
  public List<CountedRows> countedRows() {
    return List.of(
        new CountedRows(
            "buoys",
            "(SELECT state FROM buoys LIMIT :most) AS x",
            CountedRows.ofTeam("state", "buoys", "", "")));
  }

  @Override
  public List<Sweep> sweeps() {
    return List.of(BuoysBranch.LOST);
  }

  @Override
  public Map<String, RunsKept> keptRuns() {
    return Map.of(NODE.prefix(), (_, runs) -> Set.copyOf(runs));
  }

  @Override
  public List<Reconciler> reconcilers() {
    return List.of(this);
  }

  @Override
  public String kind() {
    return NODE.prefix();
  }

  @Override
  public int width() {
    return 1;
  }

  @Override
  public Next reconcile(Handle tx, String key, Wake wake) {
    tx.execute("UPDATE buoys SET state = 'moored' WHERE name = ?", key);
    return Next.DONE;
  }

  @Override
  public List<NodeSource> nodes() {
    return List.of(this);
  }

  @Override
  public List<NodeKind> kinds() {
    return List.of(NODE);
  }

  @Override
  public Map<NodeRef, NodeView> find(Handle tx, Set<NodeRef> refs) {
    Map<NodeRef, NodeView> found = new HashMap<>();
    for (NodeRef ref : refs) {
      rows(ref.name())
          .forEach(
              row ->
                  found.put(
                      ref,
                      new NodeView(
                          ref,
                          Optional.of(String.valueOf(row.get("team"))),
                          String.valueOf(row.get("state")),
                          Optional.empty(),
                          List.of(),
                          Optional.empty())));
    }
    return found;
  }
}
