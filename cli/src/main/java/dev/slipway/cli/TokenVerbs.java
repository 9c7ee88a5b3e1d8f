package dev.slipway.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** API keys. */
@Command(
    name = "token",
    description = "Creates, lists and revokes API keys of yours.",
    subcommands = {TokenVerbs.Create.class, TokenVerbs.ListAll.class, TokenVerbs.Revoke.class})
final class TokenVerbs extends Group {

  @Command(name = "create", description = "Creates a key; it is shown once.")
  static final class Create extends Verb {
    @Parameters(paramLabel = "NAME")
    String name;

    @Option(names = "--expires", paramLabel = "DURATION")
    @Nullable String expires;

    @Override
    public Integer call() throws Exception {
      Map<String, Object> body = new LinkedHashMap<>();
      body.put("name", name);
      if (expires != null) {
        body.put("expiresIn", expires);
      }
      show(api().post("/api/profile/api-keys", Map.of(), body), "id");
      err.println("Keep it now: it is not shown again.");
      return ExitCode.OK.code();
    }
  }

  @Command(name = "list", description = "Lists your keys.")
  static final class ListAll extends Verb {
    @Override
    public Integer call() throws Exception {
      show(
          api().list("/api/profile/api-keys", Map.of(), 1000),
          new Table()
              .column("ID", "id")
              .column("NAME", "name")
              .column("AGE", r -> Since.age(r.get("createdAt")))
              .column("LAST USED", r -> Since.age(r.get("lastUsedAt")))
              .column("EXPIRES IN", r -> Since.until(r.get("expiresAt"))),
          "id",
          "No keys.");
      return ExitCode.OK.code();
    }
  }

  @Command(name = "revoke", description = "Revokes a key.")
  static final class Revoke extends Verb {
    @Parameters(paramLabel = "ID")
    String id;

    @Override
    public Integer call() throws Exception {
      api().delete(path("profile", "api-keys", id), Map.of());
      err.println("Revoked.");
      return ExitCode.OK.code();
    }
  }
}
