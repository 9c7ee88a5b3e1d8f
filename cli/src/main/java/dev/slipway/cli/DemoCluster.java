package dev.slipway.cli;

import dev.slipway.engine.value.Values;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Shows what the demo has made in the embedded cluster of a server on this machine. */
record DemoCluster(Api api, Path data, PrintStream out) {
  private static final String KINDS = "deployments,pods,services,persistentvolumeclaims";

  /** Refuses a server without the embedded cluster: its applications would have no containers. */
  void require(String address) throws InterruptedException {
    if (api.find(Verb.path("clusters", "embedded")).isEmpty()) {
      throw new Failure(
          ExitCode.FAILED,
          "the server at " + address + " has no embedded cluster",
          "Stop it and run the demo again, or start it with: slipway up --cluster embedded");
    }
  }

  /** Prints what kubectl says of the namespace of the application's workload. */
  void show(Map<String, Object> application) throws InterruptedException {
    Optional<String> namespace = namespace(application);
    if (namespace.isEmpty()) {
      return;
    }
    ProcessBuilder kubectl =
        new ProcessBuilder(
                LocalServer.home().resolve("bin/slipway").toString(),
                "kubectl",
                "--namespace",
                namespace.get(),
                "get",
                KINDS)
            .redirectErrorStream(true);
    kubectl.environment().put("SLIPWAY_DATA", data.toString());
    try {
      Process process = kubectl.start();
      try (BufferedReader lines = process.inputReader()) {
        lines.lines().forEach(line -> out.println("  " + line));
      }
      process.waitFor();
    } catch (IOException e) {
      throw new Failure(ExitCode.FAILED, "kubectl cannot be started: " + e.getMessage());
    }
  }

  private static Optional<String> namespace(Map<String, Object> application) {
    List<Map<String, Object>> resources = Api.items(application.get("resources"));
    return resources.stream()
        .filter(resource -> "workload".equals(resource.get("type")))
        .map(resource -> Values.map(resource.get("outputs")).get("namespace"))
        .filter(String.class::isInstance)
        .map(String.class::cast)
        .findFirst();
  }
}
