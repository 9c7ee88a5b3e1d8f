package dev.slipway.cli;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Score;
import dev.slipway.engine.intake.ScoreIntake;
import dev.slipway.engine.intake.Submission;
import dev.slipway.engine.plan.Offers;
import dev.slipway.engine.plan.Planned;
import dev.slipway.engine.plan.Planner;
import dev.slipway.engine.plan.Wanted;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.resolve.ProviderLoader;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.simulate.Simulator;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.Rendering;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A simulation without a server: everything is new, and only the named providers are there. */
final class OfflineSimulation {
  private final List<Path> directories;

  OfflineSimulation(List<Path> directories) {
    this.directories = directories;
  }

  Map<String, Object> of(Path file, DeployOptions options, String environment) {
    Score score =
        switch (ScoreIntake.read(
            file.toString(),
            ScoreFile.read(file),
            new Submission(options.images, Submission.Sources.LOCAL))) {
          case ScoreIntake.Outcome.Accepted(Score accepted, List<Diagnostic> _) -> accepted;
          case ScoreIntake.Outcome refused ->
              throw new Failure(
                  ExitCode.FAILED, file + " cannot be deployed", texts(refused.diagnostics()));
        };
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    SecretBox box = new SecretBox(key);
    Offers offers = new Offers(new Registry(load(), List.of()), environment);
    Wanted wanted =
        Wanted.of(score, environment, "standard", offers.workloads(), box, offers::secretParams);
    String team = options.team == null ? "default" : options.team;
    Planned planned = new Planner(offers, box).plan(wanted, question(team), List.of());
    if (!planned.errors().isEmpty()) {
      throw new Failure(ExitCode.FAILED, "it would be refused", texts(planned.errors()));
    }
    Simulator.Place place =
        new Simulator.Place(
            environment,
            "standard",
            Map.of(),
            score.name() + "-" + environment,
            team,
            System.getProperty("user.name"),
            Simulator.Guarded.NO,
            Instant.now());
    return Values.map(
        RecordTree.of(
            new Simulator(offers, new Rendering(KnownSteps.types()), box, place).of(planned)));
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

  private List<Provider> load() {
    List<Provider> providers = new ArrayList<>();
    for (Path directory : directories) {
      ProviderLoader.Loaded loaded = Validation.load(directory);
      providers.add(
          loaded
              .provider()
              .orElseThrow(
                  () ->
                      new Failure(
                          ExitCode.FAILED,
                          directory + " cannot be used",
                          texts(loaded.diagnostics()))));
    }
    return providers;
  }

  private static List<String> texts(List<Diagnostic> diagnostics) {
    return diagnostics.stream().map(Diagnostic::text).toList();
  }
}
