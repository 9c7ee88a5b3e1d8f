package dev.slipway.cli;

import java.util.List;
import java.util.Map;

/** A resource as people name it: its id, or application/name. */
final class ResourceName {
  private ResourceName() {}

  static String id(Api api, String subject, String environment) throws InterruptedException {
    String[] parts = subject.split("/", 2);
    if (parts.length == 1) {
      return subject;
    }
    Map<String, Object> application =
        api.get(Verb.path("applications", parts[0]), Api.query("environment", environment));
    List<Map<String, Object>> resources = Api.items(application.get("resources"));
    return resources.stream()
        .filter(r -> parts[1].equals(r.get("name")))
        .map(r -> String.valueOf(r.get("id")))
        .findFirst()
        .orElseThrow(
            () ->
                new Failure(
                    ExitCode.FAILED,
                    parts[0] + " has no resource '" + parts[1] + "'",
                    "It has: "
                        + String.join(
                            ", ",
                            resources.stream().map(r -> String.valueOf(r.get("name"))).toList())));
  }
}
