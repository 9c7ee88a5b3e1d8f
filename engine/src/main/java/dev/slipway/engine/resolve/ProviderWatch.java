package dev.slipway.engine.resolve;

import dev.slipway.engine.resolve.ProviderSource.Location;
import dev.slipway.engine.threads.Threads;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reloads the registry when files of a provider change: at once where the file system sends events,
 * else by comparing contents at an interval. A burst of changes is one reload.
 */
public final class ProviderWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProviderWatch.class);
  private static final Duration QUIET = Duration.ofMillis(150);

  private final LiveRegistry registry;
  private final Duration floor;
  private final WatchService service;
  private final Thread thread;
  private Map<String, String> seen;

  private ProviderWatch(
      LiveRegistry registry, Duration floor, WatchService service, Threads threads) {
    this.registry = registry;
    this.floor = floor;
    this.service = service;
    this.seen = contents();
    register();
    this.thread = threads.attend("provider-watch", this::loop);
  }

  /**
   * Starts to watch; {@code floor} is the longest time until a change without a file system event
   * is seen.
   */
  public static ProviderWatch start(LiveRegistry registry, Duration floor, Threads threads)
      throws IOException {
    return new ProviderWatch(registry, floor, FileSystems.getDefault().newWatchService(), threads);
  }

  private void loop() {
    try {
      while (!Thread.interrupted()) {
        WatchKey key = service.poll(floor.toMillis(), TimeUnit.MILLISECONDS);
        while (key != null) {
          key.pollEvents();
          key.reset();
          key = service.poll(QUIET.toMillis(), TimeUnit.MILLISECONDS);
        }
        look();
      }
    } catch (InterruptedException | ClosedWatchServiceException e) {
      LOG.debug("stopped watching providers");
    }
  }

  private void look() {
    try {
      Map<String, String> now = contents();
      if (!now.equals(seen)) {
        seen = now;
        registry.reload();
      }
      register();
    } catch (RuntimeException e) {
      LOG.warn("providers could not be compared; the next look is in {}", floor, e);
    }
  }

  private Map<String, String> contents() {
    Map<String, String> hashes = new TreeMap<>();
    for (ProviderSource source : registry.sources()) {
      if (source.location() instanceof Location.Directory directory) {
        hashes.put(
            directory.path().toString(),
            Files.isDirectory(directory.path()) ? ContentHash.of(directory.path()) : "");
      }
    }
    return hashes;
  }

  private void register() {
    for (ProviderSource source : registry.sources()) {
      if (source.location() instanceof Location.Directory directory
          && Files.isDirectory(directory.path())) {
        try (Stream<Path> walk = Files.walk(directory.path(), 6)) {
          walk.filter(Files::isDirectory).limit(200).forEach(this::register);
        } catch (IOException e) {
          LOG.debug("cannot watch {}; it is compared every {}", directory.path(), floor);
        }
      }
    }
  }

  private void register(Path directory) {
    try {
      directory.register(
          service,
          StandardWatchEventKinds.ENTRY_CREATE,
          StandardWatchEventKinds.ENTRY_MODIFY,
          StandardWatchEventKinds.ENTRY_DELETE);
    } catch (IOException e) {
      LOG.debug("cannot watch {}; it is compared every {}", directory, floor);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      service.close();
      thread.join(Duration.ofSeconds(5));
    } catch (IOException | InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
