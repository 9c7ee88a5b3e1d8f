package dev.slipway.engine.execute;

import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.workflow.StepType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * How many steps may execute at once, per step type and per provider, in this replica. The
 * provider's share is smaller than the type's, so that no provider can take a whole type.
 */
final class Permits {
  private final EngineSettings settings;
  private final Threads threads;
  private final Map<String, Semaphore> byProvider = new ConcurrentHashMap<>();
  private final Map<String, Semaphore> byType = new ConcurrentHashMap<>();

  Permits(EngineSettings settings, Threads threads) {
    this.settings = settings;
    this.threads = threads;
  }

  /** The two that a step needs. */
  record Permit(Semaphore provider, Semaphore type) {
    boolean tryTake() {
      if (!provider.tryAcquire()) {
        return false;
      }
      if (!type.tryAcquire()) {
        provider.release();
        return false;
      }
      return true;
    }

    void take() throws InterruptedException {
      provider.acquire();
      try {
        type.acquire();
      } catch (InterruptedException e) {
        provider.release();
        throw e;
      }
    }

    void giveBack() {
      type.release();
      provider.release();
    }
  }

  Permit of(String provider, StepType type) {
    EngineSettings.StepLimit limit =
        switch (type.code()) {
          case RUNS -> settings.programs();
          case NONE -> settings.calls();
        };
    return new Permit(
        byProvider.computeIfAbsent(
            provider + " " + type.code(), name -> threads.permits(limit.perProvider())),
        byType.computeIfAbsent(type.name(), name -> threads.permits(limit.perType())));
  }
}
