package dev.slipway.applications.faults;

import dev.slipway.applications.store.Applications;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.Teams;
import dev.slipway.postgres.access.RepeatedRequests;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An application that a client deploys, changes and deletes; the client repeats each request until
 * the state that it asked for is reached.
 */
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

  /** Class of SQLSTATE: syntax errors, unknown tables and columns, missing rights. */
  private static final String SYNTAX_OR_ACCESS = "42";

  private static final Optional<RepeatedRequests.Reply> REPLY =
      Optional.of(new RepeatedRequests.Reply(200, new byte[0]));

  /** What is asked for, one after the other. */
  private enum Goal {
    MADE("active active active"),
    CHANGED("active active"),
    GONE("");

    /** The states of what is left when it is so. */
    final String states;

    Goal(String states) {
      this.states = states;
    }
  }

  private final Play play;
  private final Random random;
  private Goal goal = Goal.MADE;
  private boolean asked;

  Shop(Play play, long seed) {
    this.play = play;
    this.random = new Random(seed);
  }

  /** Asks for the next as soon as the last is so; true when all was. */
  boolean goOn(Server server) {
    if (!asked) {
      // Some answers get lost on their way: then it is asked again.
      asked = asks(server) && random.nextInt(3) > 0;
      return false;
    }
    if (!settled()) {
      return false;
    }
    if (goal == Goal.GONE) {
      return true;
    }
    goal = Goal.values()[goal.ordinal() + 1];
    asked = false;
    return false;
  }

  /** Each goal once, as SQL. */
  static String goals() {
    return Arrays.stream(Goal.values()).map(w -> "'" + w + "'").collect(Collectors.joining(", "));
  }

  /** Whether it was accepted for sure. */
  private boolean asks(Server server) {
    RepeatedRequests.Request request =
        new RepeatedRequests.Request("ann", goal.name(), "shop", new byte[0]);
    try {
      if (play.flaw == Flaw.KEEPS_NO_REPLIES) {
        carryOut(server);
        return true;
      }
      return switch (server.requests.begin(request, play.ticks.clock.instant())) {
        case RepeatedRequests.Verdict.First first ->
            server.requests.carryOut(request, first, () -> carryOut(server), done -> REPLY);
        case RepeatedRequests.Verdict.Done done -> true;
        case RepeatedRequests.Verdict.Running running -> false;
        case RepeatedRequests.Verdict.Differs differs -> throw new IllegalStateException("differs");
      };
    } catch (Exception e) {
      refuseDefect(e);
      return false;
    }
  }

  /** A statement that no database would take is a defect of the code, not a fault of the seed. */
  private static void refuseDefect(Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql
          && sql.getSQLState() != null
          && sql.getSQLState().startsWith(SYNTAX_OR_ACCESS)) {
        throw new IllegalStateException("a statement is wrong", failure);
      }
    }
  }

  /** Does it and takes it down, both or neither. */
  private boolean carryOut(Server server) {
    server.jdbi.useTransaction(
        h -> {
          h.execute("INSERT INTO seen_requests (goal) VALUES (?)", goal.name());
          wishFor(server.applications);
        });
    return true;
  }

  private void wishFor(Applications applications) {
    switch (goal) {
      case MADE -> applications.deploy(ANN, request(FIRST));
      case CHANGED -> applications.deploy(ANN, request(SECOND));
      case GONE ->
          applications.deprovision(
              ANN,
              new Applications.Ref("shop", "default"),
              new Applications.Teardown(
                  Optional.of("shop"),
                  Applications.Teardown.Leftovers.BY_POLICY,
                  Optional.empty()));
    }
  }

  private boolean settled() {
    String states =
        play.text(
            "SELECT coalesce(string_agg(state, ' '), '') FROM resources WHERE state <> 'deleted'");
    return states.equals(goal.states)
        && play.text(
                "SELECT count(*) FROM runs WHERE resource_id IS NOT NULL AND claimable_at IS"
                    + " NOT NULL")
            .equals("0");
  }

  @Override
  public String toString() {
    return "shop is to be " + goal + (asked ? " (asked)" : "");
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
