package dev.slipway.cli;

import dev.slipway.engine.value.Values;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** An example on this machine, from nothing to a running application. */
@Command(
    name = "demo",
    description = "Starts a server when none runs, deploys an example and shows what came of it.")
final class DemoVerb extends Verb {
  @Option(names = "--clean", description = "Removes everything that the demo made.")
  boolean clean;

  @Option(
      names = "--cluster",
      description =
          "Deploys containers into the embedded Kubernetes cluster, whose nodes and pods are played.")
  boolean cluster;

  @Mixin Consent consent;

  @Override
  public Integer call() throws Exception {
    LocalServer server = new LocalServer(System.getenv(), settings().server());
    return clean ? clean(server) : show(server);
  }

  private int show(LocalServer server) throws InterruptedException {
    start(server);
    DemoExample example = cluster ? DemoExample.STOREFRONT : DemoExample.GUESTBOOK;
    DemoCluster shown = new DemoCluster(api(), server.data(), out);
    if (cluster) {
      shown.require(settings().server());
    }
    int ended = deploy(example);
    if (ended != ExitCode.OK.code()) {
      return ended;
    }
    if (cluster) {
      status(example);
    }
    graph(example);
    outputs(example);
    if (cluster) {
      out.println();
      out.println(screen().paint(Ink.BOLD, "What is in the cluster") + " (pods are played)");
      shown.show(application(example));
    }
    next(example);
    return ExitCode.OK.code();
  }

  private void start(LocalServer server) throws InterruptedException {
    Instant began = Instant.now();
    if (server.answers()) {
      err.println("Using the server at " + settings().server() + ".");
      return;
    }
    err.println(
        "Starting a server at " + settings().server() + ", data in " + server.data() + " …");
    if (cluster) {
      err.println("The first time on a machine it builds Kubernetes, which takes some minutes.");
    }
    server.start(cluster ? LocalServer.Cluster.EMBEDDED : LocalServer.Cluster.AS_BEFORE);
    err.println(
        "Server is ready after " + Since.shortly(Duration.between(began, Instant.now())) + ".");
  }

  private int deploy(DemoExample example) throws InterruptedException {
    Path score = example.score(LocalServer.home());
    err.println("Deploying " + score.getFileName() + " of example " + example.application() + ":");
    Map<String, Object> reply =
        api().postDocument("/api/applications", Map.of(), ScoreFile.read(score), score.toString());
    int ended = watch(example, reply);
    if (ended == ExitCode.OK.code() && Boolean.FALSE.equals(reply.get("changed"))) {
      err.println(
          "Nothing had to be done: revision " + reply.get("revision") + " was there already.");
    }
    return ended;
  }

  private int watch(DemoExample example, Map<String, Object> reply) throws InterruptedException {
    return new Watch(api(), screen(), err)
        .application(
            example.application(),
            "default",
            String.valueOf(reply.get("deploymentId")),
            Duration.ofMinutes(5));
  }

  private Map<String, Object> application(DemoExample example) throws InterruptedException {
    return api().get(path("applications", example.application()));
  }

  private void status(DemoExample example) throws InterruptedException {
    out.println();
    Map<String, Object> explanation =
        api().get(path("applications", example.application(), "explain"));
    out.println(screen().paint(Ink.BOLD, "The state: ") + explanation.get("summary"));
    new Table()
        .column("RESOURCE", "name")
        .column("TYPE", "type")
        .column("STATE", "state")
        .column("HEALTH", "health")
        .column("GATE", resource -> resource.get("gate") == null ? "open" : "waits")
        .column("PROVIDER", "provider")
        .lines(Api.items(application(example).get("resources")), Format.TABLE, screen())
        .forEach(line -> out.println("  " + line));
  }

  private void graph(DemoExample example) throws InterruptedException {
    out.println();
    out.println(screen().paint(Ink.BOLD, "The graph"));
    new GraphTree(screen())
        .lines(api().get(path("graph", example.application())))
        .forEach(line -> out.println("  " + line));
  }

  private void outputs(DemoExample example) throws InterruptedException {
    out.println();
    out.println(screen().paint(Ink.BOLD, "What the resources returned") + " (secrets hidden)");
    for (Map<String, Object> resource : Api.items(application(example).get("resources"))) {
      out.println("  " + resource.get("name") + " (" + resource.get("type") + ")");
      Values.map(resource.get("outputs"))
          .forEach((key, value) -> out.println("    %-16s %s".formatted(key + ":", value)));
    }
  }

  private void next(DemoExample example) {
    out.println();
    out.println(screen().paint(Ink.BOLD, "What to try next"));
    for (String line : example.next()) {
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
      server.start(LocalServer.Cluster.AS_BEFORE);
    }
    consent.to("Remove the examples of the demo with everything they made?");
    for (DemoExample example : DemoExample.values()) {
      int ended = exists(example) ? remove(example) : ExitCode.OK.code();
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

  private int remove(DemoExample example) throws InterruptedException {
    String name = example.application();
    return watch(example, api().delete(path("applications", name), Api.query("confirm", name)));
  }

  private boolean exists(DemoExample example) throws InterruptedException {
    return api().list("/api/applications", Map.of(), 1000).stream()
        .anyMatch(
            a ->
                example.application().equals(a.get("name"))
                    && "default".equals(a.get("environment")));
  }
}
