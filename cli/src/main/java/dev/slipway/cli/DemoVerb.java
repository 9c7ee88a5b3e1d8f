package dev.slipway.cli;

import dev.slipway.engine.value.Values;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** An example on this machine, from nothing to a running application. */
@Command(
    name = "demo",
    description = "Starts a server when none runs, deploys an example and shows what came of it.")
final class DemoVerb extends Verb {
  private static final String APPLICATION = "guestbook";

  @Option(names = "--clean", description = "Removes everything that the demo made.")
  boolean clean;

  @Mixin Consent consent;

  @Override
  public Integer call() throws Exception {
    LocalServer server = new LocalServer(System.getenv(), settings().server());
    return clean ? clean(server) : show(server);
  }

  private int show(LocalServer server) throws InterruptedException {
    Instant began = Instant.now();
    if (server.answers()) {
      err.println("Using the server at " + settings().server() + ".");
    } else {
      err.println(
          "Starting a server at " + settings().server() + ", data in " + server.data() + " …");
      server.start();
      err.println(
          "Server is ready after " + Since.shortly(Duration.between(began, Instant.now())) + ".");
    }
    Path score = LocalServer.home().resolve("examples/guestbook/score.yaml");
    err.println("Deploying " + score.getFileName() + " of example " + APPLICATION + ":");
    Map<String, Object> reply =
        api().postDocument("/api/applications", Map.of(), ScoreFile.read(score), score.toString());
    int ended = watch(reply);
    if (ended != ExitCode.OK.code()) {
      return ended;
    }
    if (Boolean.FALSE.equals(reply.get("changed"))) {
      err.println(
          "Nothing had to be done: revision " + reply.get("revision") + " was there already.");
    }
    graph();
    outputs();
    next();
    return ExitCode.OK.code();
  }

  private int watch(Map<String, Object> reply) throws InterruptedException {
    return new Watch(api(), screen(), err)
        .application(
            APPLICATION,
            "default",
            String.valueOf(reply.get("deploymentId")),
            Duration.ofMinutes(5));
  }

  private void graph() throws InterruptedException {
    out.println();
    out.println(screen().paint(Ink.BOLD, "The graph"));
    GraphTree.lines(screen(), api().get(path("graph", APPLICATION)))
        .forEach(line -> out.println("  " + line));
  }

  private void outputs() throws InterruptedException {
    out.println();
    out.println(screen().paint(Ink.BOLD, "What the resources returned") + " (secrets hidden)");
    Map<String, Object> application = api().get(path("applications", APPLICATION));
    for (Map<String, Object> resource : Api.items(application.get("resources"))) {
      out.println("  " + resource.get("name") + " (" + resource.get("type") + ")");
      Values.map(resource.get("outputs"))
          .forEach((key, value) -> out.println("    %-16s %s".formatted(key + ":", value)));
    }
  }

  private void next() {
    out.println();
    out.println(screen().paint(Ink.BOLD, "What to try next"));
    for (String line :
        List.of(
            "slipway status guestbook                     its resources and their states",
            "slipway resource outputs guestbook/db --reveal   the generated password",
            "slipway runs --application guestbook         what was run for it",
            "slipway logs guestbook                       what the steps wrote",
            "slipway plan FILE, slipway deploy FILE       a Score file of your own",
            "slipway provider list                        what can be asked for",
            "slipway demo --clean                         remove all of this")) {
      out.println("  " + line.replace("slipway ", Hints.command() + " "));
    }
  }

  private int clean(LocalServer server) throws Exception {
    if (!server.answers()) {
      if (!server.startedByDemo()) {
        err.println(
            "Nothing to clean: no server answers at "
                + settings().server()
                + " and the demo has started none.");
        return ExitCode.OK.code();
      }
      err.println("Starting the server again, so that the example can be removed properly …");
      server.start();
    }
    consent.to("Remove the example " + APPLICATION + " with everything it made?");
    if (exists()) {
      Map<String, Object> reply =
          api().delete(path("applications", APPLICATION), Api.query("confirm", APPLICATION));
      int ended = watch(reply);
      if (ended != ExitCode.OK.code()) {
        return ended;
      }
    }
    boolean others = !api().list("/api/applications", Map.of(), 1).isEmpty();
    if (server.startedByDemo() && others) {
      err.println("The server stays: other applications live on it.");
    } else if (server.startedByDemo()) {
      server.stop();
      err.println(
          "Server stopped"
              + (Files.exists(server.data()) ? "." : ", " + server.data() + " removed."));
    }
    return ExitCode.OK.code();
  }

  private boolean exists() throws InterruptedException {
    return api().list("/api/applications", Map.of(), 1000).stream()
        .anyMatch(a -> APPLICATION.equals(a.get("name")) && "default".equals(a.get("environment")));
  }
}
