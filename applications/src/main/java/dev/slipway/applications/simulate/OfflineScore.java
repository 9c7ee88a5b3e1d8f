package dev.slipway.applications.simulate;

import dev.slipway.applications.plan.Offers;
import dev.slipway.applications.plan.Planned;
import dev.slipway.applications.plan.Planner;
import dev.slipway.applications.plan.Wanted;
import dev.slipway.applications.score.Score;
import dev.slipway.applications.score.ScoreIntake;
import dev.slipway.applications.score.Submission;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.OfflineDocuments;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.workflow.Rendering;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Score documents without a server: everything is new, and only the named providers are there. */
public final class OfflineScore implements OfflineDocuments {
  private static final String TYPE = "standard";

  @Override
  public List<Diagnostic> check(String file, byte[] text) {
    return ScoreIntake.read(file, text, Submission.OFFLINE).diagnostics();
  }

  @Override
  public Simulated simulate(String file, byte[] text, Request request) {
    return switch (ScoreIntake.read(
        file, text, new Submission(request.images(), Submission.Sources.LOCAL))) {
      case ScoreIntake.Outcome.Accepted(Score score, List<Diagnostic> _) ->
          simulate(score, request);
      case ScoreIntake.Outcome refused -> new Simulated.Unreadable(refused.diagnostics());
    };
  }

  private static Simulated simulate(Score score, Request request) {
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    SecretBox box = new SecretBox(key);
    Offers offers = new Offers(new Registry(request.providers(), List.of()), request.environment());
    Wanted wanted =
        Wanted.of(
            score, request.environment(), TYPE, offers.workloads(), box, offers::secretParams);
    Planned planned = new Planner(offers, box).plan(wanted, question(request.team()), List.of());
    if (!planned.errors().isEmpty()) {
      return new Simulated.Refused(planned.errors());
    }
    Simulator.Place place =
        new Simulator.Place(
            request.environment(),
            TYPE,
            Map.of(),
            score.name() + "-" + request.environment(),
            request.team(),
            request.user(),
            Simulator.Guarded.NO,
            Instant.now());
    return new Simulated.Simulation(
        new Simulator(offers, new Rendering(request.stepTypes()), box, place).of(planned));
  }

  private static Planner.Question question(String team) {
    return new Planner.Question(
        new UUID(0, 1),
        team,
        null,
        Set.of(),
        Set.of(),
        Optional.empty(),
        AdminConfig.Enforcement.OFF);
  }
}
