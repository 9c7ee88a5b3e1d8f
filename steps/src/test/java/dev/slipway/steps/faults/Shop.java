package dev.slipway.steps.faults;

import dev.slipway.engine.progress.Caller;
import dev.slipway.engine.progress.Teams;
import dev.slipway.postgres.applications.Applications;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An application that is made, changed and taken away; whoever asks for it asks until it is so. */
final class Shop {
  private static final Caller ANN =
      new Caller("ann", new Teams.Named(Set.of("shop")), new Teams.Named(Set.of("shop")));
  private static final String FIRST =
      """
        db: {type: box, params: {size: 1}}
        api: {type: box, params: {size: 1, url: "${resources.db.host}"}}
        web: {type: box, params: {size: 1, url: "${resources.api.host}"}}
      """;
  private static final String SECOND =
      """
        db: {type: box, params: {size: 2}}
        api: {type: box, params: {size: 1, url: "${resources.db.host}"}}
      """;

  /** What is asked for, one after the other. */
  private enum Wish {
    MADE("active active active"),
    CHANGED("active active"),
    GONE("");

    /** The states of what is left when it is so. */
    final String states;

    Wish(String states) {
      this.states = states;
    }
  }

  private final Play play;
  private Wish wish = Wish.MADE;
  private boolean asked;

  Shop(Play play) {
    this.play = play;
  }

  /** Asks for the next as soon as the last is so; true when all was. */
  boolean goOn(Server server) {
    if (!asked) {
      asked = asks(server);
      return false;
    }
    if (!settled()) {
      return false;
    }
    if (wish == Wish.GONE) {
      return true;
    }
    wish = Wish.values()[wish.ordinal() + 1];
    asked = false;
    return false;
  }

  /** Whether it was accepted for sure. */
  private boolean asks(Server server) {
    try {
      switch (wish) {
        case MADE -> server.applications.deploy(ANN, request(FIRST));
        case CHANGED -> server.applications.deploy(ANN, request(SECOND));
        case GONE ->
            server.applications.deprovision(
                ANN,
                new Applications.Ref("shop", "default"),
                new Applications.Teardown(
                    Optional.of("shop"),
                    Applications.Teardown.Leftovers.BY_POLICY,
                    Optional.empty()));
      }
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  private boolean settled() {
    String states =
        play.text(
            "SELECT coalesce(string_agg(state, ' '), '') FROM resources WHERE state <> 'deleted'");
    return states.equals(wish.states)
        && play.text(
                "SELECT count(*) FROM runs WHERE resource_id IS NOT NULL AND claimable_at IS"
                    + " NOT NULL")
            .equals("0");
  }

  @Override
  public String toString() {
    return "shop is to be " + wish + (asked ? " (asked)" : "");
  }

  private static Applications.DeployRequest request(String resources) {
    String yaml =
        "apiVersion: score.dev/v1b1\nmetadata: {name: shop}\n"
            + "containers: {web: {image: nginx}}\nresources:\n"
            + resources;
    return new Applications.DeployRequest(
        yaml.getBytes(StandardCharsets.UTF_8),
        "score.yaml",
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Applications.DeployRequest.Mode.APPLY,
        Set.of(),
        Set.of(),
        Optional.empty());
  }
}
