package dev.slipway.server.buoys;

import static dev.slipway.engine.grammar.Field.optional;

import dev.slipway.engine.grammar.Form;
import dev.slipway.engine.grammar.Shape;
import dev.slipway.engine.resolve.AdminConfig.Retention;
import dev.slipway.postgres.retention.Sweep;
import dev.slipway.web.branch.Branch;
import dev.slipway.web.branch.Descriptor;
import dev.slipway.web.branch.OpenBranch;
import dev.slipway.web.branch.Trunk;
import dev.slipway.web.kind.Kind;
import java.util.List;
import java.util.Objects;

/** The smallest branch there can be: buoys that are adrift until their turn moors them. */
public final class BuoysBranch implements Branch {
  public static final Kind BUOY =
      Kind.ofInstallation("buoy", "buoys")
          .shortNames("bu")
          .nodes(Buoys.NODE)
          .list("/api/buoys")
          .get("/api/buoys/{name}")
          .states("state", List.of("moored"), List.of())
          .column("NAME", "name")
          .column("STATE", "state")
          .row();

  /** What has drifted away is not looked for. */
  public static final Sweep LOST =
      new Sweep(
          "buoys",
          "text",
          "",
          Retention::deleted,
          "SELECT name FROM buoys WHERE name > :after ORDER BY name LIMIT :count",
          List.of("DELETE FROM buoys WHERE name = ANY (:keys) AND state = 'lost'"));

  @Override
  public Descriptor descriptor() {
    return Descriptor.named("buoys")
        .kinds(BUOY)
        .configuredBy(
            Form.of("buoys", "Buoys.", optional("depth", Shape.TEXT, "of the water, in metres")))
        .schemas(Objects.requireNonNull(BuoysBranch.class.getResource("schemas.yaml")))
        .withTables();
  }

  @Override
  public OpenBranch open(Trunk trunk) {
    return new Buoys(trunk);
  }
}
