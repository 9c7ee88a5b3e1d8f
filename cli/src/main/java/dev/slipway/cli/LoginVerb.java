package dev.slipway.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Logs in and keeps the token in the user's own file. */
@Command(name = "login", description = "Logs in and keeps the token for later calls.")
final class LoginVerb extends Verb {
  @Option(names = "--user", paramLabel = "NAME")
  @Nullable String user;

  @Option(names = "--password-stdin", description = "Read the password from standard input.")
  boolean fromStdin;

  @Override
  public Integer call() throws Exception {
    Console console = System.console();
    String name = user != null ? user : ask(console, "User: ");
    String password =
        fromStdin
            ? new String(System.in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).strip()
            : new String(secret(console));
    Map<String, Object> reply =
        api().post("/api/login", Map.of(), Map.of("username", name, "password", password));
    keep(settings().server(), String.valueOf(reply.get("token")));
    err.println("Logged in as " + name + " at " + settings().server() + ".");
    return ExitCode.OK.code();
  }

  private static String ask(@Nullable Console console, String prompt) {
    if (console == null) {
      throw new Failure(
          ExitCode.USAGE, "no terminal to ask on", "Use --user NAME --password-stdin.");
    }
    return console.readLine(prompt);
  }

  private static char[] secret(@Nullable Console console) {
    if (console == null) {
      throw new Failure(ExitCode.USAGE, "no terminal to ask on", "Use --password-stdin.");
    }
    return console.readPassword("Password: ");
  }

  static void keep(String server, @Nullable String token) throws IOException {
    Path file = ClientSettings.userFile(System.getenv());
    Files.createDirectories(file.getParent());
    Map<String, Object> content = new LinkedHashMap<>();
    content.put("server", server);
    if (token != null) {
      content.put("token", token);
    }
    Path fresh = file.resolveSibling("config.yaml.new");
    Files.deleteIfExists(fresh);
    Files.createFile(
        fresh, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(fresh, Yaml.write(content));
    Files.move(
        fresh,
        file,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING,
        java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }
}
