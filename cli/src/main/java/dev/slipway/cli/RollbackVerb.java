package dev.slipway.cli;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deploys an earlier revision again. */
@Command(
    name = "rollback",
    description = "Deploys an earlier revision of APP again, as a new revision.")
final class RollbackVerb extends PlacedVerb {
  @Parameters(paramLabel = "APP")
  String application;

  @Option(
      names = "--to",
      paramLabel = "REVISION",
      description = "Which one; default: the one before.")
  @Nullable Long revision;

  @Mixin Consent consent;

  @Mixin WaitOptions waiting;

  @Override
  public Integer call() throws Exception {
    long target = revision == null ? before() : revision;
    consent.to("Deploy revision " + target + " of " + application + " again?");
    Map<String, Object> reply =
        api()
            .post(
                path("applications", application, "rollback"),
                Api.query("environment", environment()),
                Map.of("revision", target));
    if (!waiting.waits(screen())) {
      err.println("Accepted as revision " + reply.get("revision") + ".");
      return ExitCode.OK.code();
    }
    return new Watch(api(), screen(), err)
        .application(
            application,
            environment(),
            String.valueOf(reply.get("deploymentId")),
            waiting.duration());
  }

  private long before() throws InterruptedException {
    Map<String, Object> found =
        api().get(path("applications", application), Api.query("environment", environment()));
    List<Long> revisions =
        api()
            .list(
                path("applications", application, "revisions"),
                Api.query("environment", environment()),
                1000)
            .stream()
            .map(RollbackVerb::revision)
            .filter(r -> r < revision(found))
            .sorted()
            .toList();
    if (revisions.isEmpty()) {
      throw new Failure(ExitCode.FAILED, application + " has no earlier revision");
    }
    return revisions.getLast();
  }

  private static long revision(Map<String, Object> view) {
    Object revision =
        Objects.requireNonNull(view.get("revision"), "applications and revisions have a number");
    return ((Number) revision).longValue();
  }
}
