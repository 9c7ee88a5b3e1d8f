package dev.slipway.server.telemetry;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.slipway.engine.execute.ClaimHealth;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.threads.Supervision;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Whether the server works, found out by trying. */
public final class ServerHealth {
  private final Runnable askDatabase;
  private final BooleanSupplier engineRuns;
  private final Supplier<ClaimHealth.Verdict> claims;
  private final Supplier<Registry> registry;
  private final Supplier<Optional<Supervision.Death>> death;
  private final Map<String, Supplier<Optional<String>>> others = new LinkedHashMap<>();

  public ServerHealth(
      Runnable askDatabase,
      BooleanSupplier engineRuns,
      Supplier<ClaimHealth.Verdict> claims,
      Supplier<Registry> registry,
      Supplier<Optional<Supervision.Death>> death) {
    this.askDatabase = askDatabase;
    this.engineRuns = engineRuns;
    this.claims = claims;
    this.registry = registry;
    this.death = death;
  }

  /** Also reports what the check says, when it says anything; all but {@code ok} degrades. */
  public ServerHealth with(String name, Supplier<Optional<String>> check) {
    others.put(name, check);
    return this;
  }

  /** In one word. */
  public enum Status {
    OK,
    DEGRADED,
    UNHEALTHY
  }

  /** Whether work is being done. */
  public enum Engine {
    RUNNING,
    STOPPED
  }

  /** All that was looked at. */
  public record Report(
      Status status,
      @JsonProperty("orchestration_engine") Engine engine,
      Map<String, String> checks) {}

  /** Whether requests can be served. */
  public record Readiness(boolean ready, Map<String, String> checks) {}

  public Report report() {
    Map<String, String> checks = new LinkedHashMap<>();
    boolean database = database(checks);
    boolean engine = engineRuns.getAsBoolean();
    checks.put("engine", engine ? "ok" : "stopped");
    boolean threads = threads(checks);
    boolean claiming = claiming(checks);
    boolean providers = providers(checks) & others(checks);
    Status status =
        !database || !engine || !threads
            ? Status.UNHEALTHY
            : providers && claiming ? Status.OK : Status.DEGRADED;
    return new Report(status, engine && threads ? Engine.RUNNING : Engine.STOPPED, checks);
  }

  public Readiness readiness() {
    Map<String, String> checks = new LinkedHashMap<>();
    boolean database = database(checks);
    checks.put("migrations", database ? "ok" : "unknown");
    boolean loaded = registry.get() != Registry.EMPTY;
    checks.put("registry", loaded ? "ok" : "not loaded yet");
    boolean threads = threads(checks);
    boolean claiming = claiming(checks);
    return new Readiness(database && loaded && threads && claiming, checks);
  }

  /** Without one of them the server only looks alive. */
  private boolean threads(Map<String, String> checks) {
    Optional<Supervision.Death> dead = death.get();
    checks.put("threads", dead.map(Supervision.Death::text).orElse("ok"));
    return dead.isEmpty();
  }

  /** A server that cannot claim runs accepts work that it cannot begin. */
  private boolean claiming(Map<String, String> checks) {
    return switch (claims.get()) {
      case ClaimHealth.Verdict.Works() -> {
        checks.put("claims", "ok");
        yield true;
      }
      case ClaimHealth.Verdict.Fails fails -> {
        checks.put("claims", fails.reason());
        yield false;
      }
    };
  }

  private boolean others(Map<String, String> checks) {
    others.forEach((name, check) -> check.get().ifPresent(said -> checks.put(name, said)));
    return others.keySet().stream().allMatch(name -> checks.getOrDefault(name, "ok").equals("ok"));
  }

  private boolean database(Map<String, String> checks) {
    try {
      askDatabase.run();
      checks.put("database", "ok");
      return true;
    } catch (RuntimeException e) {
      checks.put("database", "away");
      return false;
    }
  }

  private boolean providers(Map<String, String> checks) {
    int problems = registry.get().problems().size();
    int conflicts = registry.get().conflicts().size();
    checks.put(
        "providers",
        problems + conflicts == 0 ? "ok" : problems + " broken, " + conflicts + " conflicts");
    return problems + conflicts == 0;
  }
}
