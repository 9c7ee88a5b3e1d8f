package dev.slipway.server;

import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.GoldenPath;
import dev.slipway.engine.resolve.GoldenPathFile;
import dev.slipway.engine.resolve.LiveRegistry;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.resolve.WorkflowReader;
import dev.slipway.engine.resolve.WorkflowRules;
import dev.slipway.kubernetes.health.assess.HealthRules;
import dev.slipway.server.api.AdminApi;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The configuration in force. A failed reload changes nothing. Between reloads only the files that
 * it refers to are read again, so that a secret can be replaced at any time.
 */
final class Settings {
  private static final Logger LOG = LoggerFactory.getLogger(Settings.class);

  private final Configuration configuration;
  private final BundledProviders bundled;
  private final WorkflowReader workflows;
  private volatile Configuration.Read read;
  private volatile WorkflowRules rules;
  private volatile List<GoldenPath> goldenPaths;
  private Map<Path, String> refused = Map.of();

  Settings(
      Configuration configuration,
      Configuration.Read read,
      BundledProviders bundled,
      WorkflowReader workflows) {
    this.configuration = configuration;
    this.bundled = bundled;
    this.workflows = workflows;
    take(read);
    Diagnostics diagnostics = new Diagnostics();
    this.goldenPaths = readGoldenPaths(diagnostics);
    diagnostics.all().forEach(d -> LOG.warn("{}", d.text()));
  }

  /** The configuration with the current contents of its secret files. */
  AdminConfig config() {
    AdminConfig now = read.config();
    return now.files().isEmpty() || now.files().equals(now.filesNow()) ? now : renewed();
  }

  /** The rules of that configuration. */
  WorkflowRules rules() {
    config();
    return rules;
  }

  /** The rules of health for Kubernetes objects, as they were read with the configuration. */
  HealthRules healthRules() {
    return read.rules();
  }

  /** The limits of all replicas together. */
  RunStore.Bounds bounds() {
    AdminConfig.WorkflowPolicies policies = config().workflowPolicies();
    return new RunStore.Bounds(
        policies.maxConcurrentWorkflows(), Optional.of(policies.maxWorkflowDuration()));
  }

  List<GoldenPath> goldenPaths() {
    return goldenPaths;
  }

  /** Configured providers, then those that come with Slipway. */
  List<ProviderSource> sources() {
    List<ProviderSource> sources = new ArrayList<>(read.config().providers());
    sources.addAll(bundled.sources(read.config()));
    return sources;
  }

  /** Reads the configuration and all providers again. */
  AdminApi.Reloaded reload(LiveRegistry registry) {
    Configuration.Read fresh;
    try {
      fresh = configuration.read();
    } catch (IOException e) {
      fresh = configuration.unreadable(e);
    }
    if (!fresh.usable()) {
      LOG.error("the configuration was not reloaded, the previous one stays in force");
      fresh.diagnostics().stream()
          .filter(Diagnostic::isError)
          .forEach(d -> LOG.error("{}", d.text()));
      return new AdminApi.Reloaded(fresh.diagnostics(), registry.current());
    }
    AdminConfig before = read.config();
    take(fresh);
    Diagnostics more = new Diagnostics();
    goldenPaths = readGoldenPaths(more);
    List<Diagnostic> diagnostics = new ArrayList<>(fresh.diagnostics());
    diagnostics.addAll(more.warnings());
    readAtStart(before.engine(), fresh.config().engine())
        .forEach(key -> diagnostics.add(configuration.needsRestart(key)));
    diagnostics.forEach(d -> LOG.warn("{}", d.text()));
    return new AdminApi.Reloaded(diagnostics, registry.reload(sources()));
  }

  /** Changed keys that the engine reads only at the start; it reads all others on each use. */
  private static List<String> readAtStart(
      AdminConfig.EngineConfig before, AdminConfig.EngineConfig now) {
    Map<String, Function<AdminConfig.EngineConfig, Object>> settings = new LinkedHashMap<>();
    settings.put("engine.pollInterval", AdminConfig.EngineConfig::pollInterval);
    settings.put("engine.batchSize", AdminConfig.EngineConfig::batchSize);
    settings.put("engine.workers", AdminConfig.EngineConfig::workers);
    settings.put("engine.lease", AdminConfig.EngineConfig::lease);
    settings.values().removeIf(of -> of.apply(before).equals(of.apply(now)));
    return List.copyOf(settings.keySet());
  }

  private synchronized void take(Configuration.Read fresh) {
    rules = new WorkflowRules(fresh.config(), configuration.stepTypes());
    read = fresh;
  }

  private synchronized AdminConfig renewed() {
    AdminConfig now = read.config();
    Map<Path, String> seen = now.filesNow();
    if (now.files().equals(seen) || refused.equals(seen)) {
      return now;
    }
    Configuration.Read fresh = configuration.again(read.document().orElseThrow());
    if (fresh.usable()) {
      LOG.info("a file that the configuration refers to has changed, its new content is used");
      take(fresh);
      return fresh.config();
    }
    refused = seen;
    fresh.diagnostics().stream()
        .filter(Diagnostic::isError)
        .forEach(d -> LOG.error("the previous value stays in use: {}", d.text()));
    return now;
  }

  private List<GoldenPath> readGoldenPaths(Diagnostics diagnostics) {
    Optional<Path> file = read.config().goldenPaths();
    if (file.isEmpty()) {
      return List.of();
    }
    try {
      List<GoldenPath> usable = new ArrayList<>();
      for (GoldenPath path : new GoldenPathFile(file.get(), workflows, diagnostics).read()) {
        List<Diagnostic> refusals =
            rules.refusals(path.definition(), GoldenPathFile.TEAM, path.name());
        refusals.forEach(diagnostics::add);
        if (refusals.isEmpty()) {
          usable.add(path);
        }
      }
      return usable;
    } catch (IOException e) {
      LOG.warn("golden paths cannot be read from {}: {}", file.get(), e.getMessage());
      return List.of();
    }
  }
}
