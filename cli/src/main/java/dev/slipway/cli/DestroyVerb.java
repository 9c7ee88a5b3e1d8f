package dev.slipway.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes an application and what it made. */
@Command(name = "destroy", description = "Deprovisions APP and everything it has.")
final class DestroyVerb extends PlacedVerb {
  @Parameters(paramLabel = "APP")
  String application;

  @Mixin Consent consent;

  @Option(names = "--orphan", description = "Forget the resources, leave the real objects alone.")
  boolean orphan;

  @Mixin WaitOptions waiting;

  @Override
  public Integer call() throws Exception {
    Map<String, Object> found =
        api().get(path("applications", application), Api.query("environment", environment()));
    List<Map<String, Object>> resources = Api.items(found.get("resources"));
    err.println("This " + (orphan ? "forgets" : "deletes") + " in " + environment() + ":");
    resources.forEach(
        r ->
            err.println(
                "  - "
                    + r.get("name")
                    + " ("
                    + r.get("type")
                    + ", "
                    + DeletionEffect.of(r, application)
                    + ")"));
    consent.to("Destroy " + application + "?");
    Map<String, Object> reply =
        api()
            .delete(
                path("applications", application),
                Api.query(
                    "environment",
                    environment(),
                    "confirm",
                    application,
                    "orphan",
                    orphan ? true : null));
    if (!waiting.waits(screen())) {
      if (reply.get("approvalId") != null) {
        return waitsForApproval(application, reply);
      }
      err.println("Under way. Watch with: slipway wait " + application + Hints.in(environment()));
      return ExitCode.OK.code();
    }
    return new Watch(api(), screen(), err)
        .application(
            application,
            environment(),
            String.valueOf(reply.get("deploymentId")),
            waiting.duration());
  }
}
