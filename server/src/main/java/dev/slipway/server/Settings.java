package dev.slipway.server;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.LiveRegistry;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.resolve.WorkflowReader;
import dev.slipway.server.api.AdminApi;
import dev.slipway.server.golden.GoldenPath;
import dev.slipway.server.golden.GoldenPathFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The configuration in force. A reload that fails leaves everything as it was. */
final class Settings {
  private static final Logger LOG = LoggerFactory.getLogger(Settings.class);

  private final Configuration configuration;
  private final Optional<Path> bundled;
  private final WorkflowReader workflows;
  private volatile AdminConfig config;
  private volatile List<GoldenPath> goldenPaths;

  Settings(
      Configuration configuration,
      AdminConfig config,
      Optional<Path> bundled,
      WorkflowReader workflows) {
    this.configuration = configuration;
    this.config = config;
    this.bundled = bundled;
    this.workflows = workflows;
    Diagnostics diagnostics = new Diagnostics();
    this.goldenPaths = readGoldenPaths(config, diagnostics);
    diagnostics.all().forEach(d -> LOG.warn("{}", d.text()));
  }

  AdminConfig config() {
    return config;
  }

  List<GoldenPath> goldenPaths() {
    return goldenPaths;
  }

  /** Configured providers, then those that come with Slipway. */
  List<ProviderSource> sources() {
    List<ProviderSource> sources = new ArrayList<>(config.providers());
    bundled.filter(Files::isDirectory).ifPresent(home -> sources.addAll(bundled(home)));
    return sources;
  }

  /** Reads everything again. */
  AdminApi.Reloaded reload(LiveRegistry registry) {
    Configuration.Read read;
    try {
      read = configuration.read();
    } catch (IOException e) {
      throw new UncheckedIOException("the configuration cannot be read", e);
    }
    if (!read.usable()) {
      return new AdminApi.Reloaded(read.diagnostics(), registry.current());
    }
    Diagnostics more = new Diagnostics();
    config = read.config();
    goldenPaths = readGoldenPaths(config, more);
    List<Diagnostic> diagnostics = new ArrayList<>(read.diagnostics());
    more.all().forEach(d -> LOG.warn("{}", d.text()));
    return new AdminApi.Reloaded(diagnostics, registry.reload(sources()));
  }

  private List<GoldenPath> readGoldenPaths(AdminConfig from, Diagnostics diagnostics) {
    if (from.goldenPaths().isEmpty()) {
      return List.of();
    }
    Path file = from.goldenPaths().get();
    try {
      return new GoldenPathFile(file, workflows, diagnostics).read();
    } catch (IOException e) {
      LOG.warn("golden paths cannot be read from {}: {}", file, e.getMessage());
      return List.of();
    }
  }

  private static List<ProviderSource> bundled(Path home) {
    try (Stream<Path> children = Files.list(home)) {
      return children
          .filter(Files::isDirectory)
          .sorted()
          .map(child -> ProviderSource.directory(child, ProviderSource.BUNDLED))
          .toList();
    } catch (IOException e) {
      LOG.warn("bundled providers cannot be read from {}: {}", home, e.getMessage());
      return List.of();
    }
  }
}
