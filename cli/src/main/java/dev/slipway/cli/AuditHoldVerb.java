package dev.slipway.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "hold",
    description = "Sets a legal hold: retention removes no entry that fits, until it is lifted.")
final class AuditHoldVerb extends Verb {
  @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why.")
  String reason;

  @Option(names = "--of-team", paramLabel = "TEAM", description = "Only entries of this team.")
  @Nullable String ofTeam;

  @Option(
      names = "--object",
      paramLabel = "PATH",
      description = "Only entries of this object and what is below it, such as /api/users/dora.")
  @Nullable String object;

  @Option(names = "--from", paramLabel = "TIME", description = "Only entries since then.")
  @Nullable String from;

  @Option(names = "--until", paramLabel = "TIME", description = "Only entries before then.")
  @Nullable String until;

  @Override
  public Integer call() throws Exception {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("reason", reason);
    body.put("team", ofTeam);
    body.put("object", object);
    body.put("from", from);
    body.put("until", until);
    body.values().removeIf(Objects::isNull);
    show(api().post("/api/audit/holds", Map.of(), body), "id");
    return ExitCode.OK.code();
  }
}
