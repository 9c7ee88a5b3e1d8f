package dev.slipway.server;

import dev.slipway.engine.resolve.LiveRegistry;
import dev.slipway.engine.resolve.ProgramCheck;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.resolve.ProviderLoader;
import dev.slipway.engine.resolve.ProviderWatch;
import dev.slipway.engine.resolve.WorkflowReader;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.workflow.StepTypes;
import dev.slipway.engine.workflow.WorkflowParser;
import dev.slipway.git.GitLimits;
import dev.slipway.git.GitSources;
import dev.slipway.git.TreeLimits;
import java.io.IOException;
import java.time.Duration;

/** Which configuration and which providers are in force. */
record Resolving(
    Settings settings,
    StepTypes stepTypes,
    WorkflowParser parser,
    LiveRegistry registry,
    GitSources git,
    ProviderWatch watch) {
  private static final Duration PROVIDERS_COMPARED = Duration.ofSeconds(30);

  static Resolving of(Wiring.Given given, Foundation foundation) {
    Configuration configuration = new Configuration(given.options().config(), given.branches());
    WorkflowParser parser = new WorkflowParser(configuration.stepTypes());
    WorkflowReader workflows = parser::parse;
    Settings settings =
        new Settings(
            configuration,
            given.read(),
            new BundledProviders(given.options().bundled(), given.cluster()),
            workflows);
    LiveRegistry registry =
        new LiveRegistry(
            new ProviderLoader(workflows, ProgramCheck.onServer(ProgramPath.ofThisProcess())),
            settings.sources(),
            provider -> settings.rules().refusals(provider));
    GitSources git =
        new GitSources(
            foundation.data().resolve("git"),
            GitLimits.USUAL,
            TreeLimits.USUAL,
            foundation.clock(),
            foundation.threads());
    registry.fetching(git).onSwap((before, now) -> git.keepOnly(registry.sources()));
    registry.onSwap((before, now) -> foundation.metrics().loaded(now));
    registry.reload();
    return new Resolving(
        settings,
        configuration.stepTypes(),
        parser,
        registry,
        git,
        watch(registry, foundation.threads()));
  }

  private static ProviderWatch watch(LiveRegistry registry, Threads threads) {
    try {
      return ProviderWatch.start(registry, PROVIDERS_COMPARED, threads);
    } catch (IOException e) {
      throw StartFailure.surroundings("cannot watch files for changes: " + e.getMessage(), e);
    }
  }
}
