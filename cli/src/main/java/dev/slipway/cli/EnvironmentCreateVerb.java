package dev.slipway.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "create", description = "Creates an environment.")
final class EnvironmentCreateVerb extends Verb {
  @Parameters(paramLabel = "NAME")
  String name;

  @Option(names = "--type", paramLabel = "TYPE")
  @Nullable String type;

  @Option(
      names = "--ttl",
      paramLabel = "DURATION",
      description = "Removed after this long, with everything in it.")
  @Nullable String ttl;

  @Option(
      names = "--team",
      paramLabel = "TEAM",
      description = "The team that it belongs to; needed by members of several.")
  String team;

  @Option(names = "--protected", description = "Every deployment needs an approval.")
  boolean guarded;

  @Override
  public Integer call() throws Exception {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("name", name);
    if (type != null) {
      body.put("type", type);
    }
    if (ttl != null) {
      body.put("ttl", ttl);
    }
    if (guarded) {
      body.put("protected", true);
    }
    show(api().post("/api/environments", Api.query("team", team), body), "name");
    return ExitCode.OK.code();
  }
}
