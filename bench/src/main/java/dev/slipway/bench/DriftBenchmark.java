package dev.slipway.bench;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How long a field of an owned object keeps the value that another client gave it, on a server of
 * the installed layout that corrects drift; beside a client that would know at once.
 */
public final class DriftBenchmark {
  private static final int RESOURCES = 40;
  private static final double MEDIAN = 300;
  private static final double WORST = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String PROVIDER =
      """
      apiVersion: v1
      kind: Provider
      metadata: {name: maps, version: 1.0.0}
      capabilities:
        resourceTypeCapabilities:
          - {type: map, operations: {create: {workflow: make}, update: {workflow: make}, read: {workflow: look}}}
      workflows:
        - {name: make, file: ./make.yaml, operation: create}
        - {name: look, file: ./look.yaml, operation: read}
      """;
  private static final String WORKFLOW =
      """
      apiVersion: innominatus.io/v1alpha1
      kind: Workflow
      metadata: {name: %s}
      variables: {namespace: '{{ .context.team }}-{{ .context.environment.name }}'}
      steps:
        %s
        - name: objects
          type: kubernetes
          config:
            operation: %s
            conflicts: force
            namespace: '{{ .variables.namespace }}'
            manifest: |
              apiVersion: v1
              kind: ConfigMap
              metadata: {name: '{{ .parameters.resource_name }}'}
              data: {colour: red}
      """;
  private static final String NAMESPACE =
      "- {name: namespace, type: kubernetes, config: {operation: create-namespace, name: '{{"
          + " .variables.namespace }}'}}";

  private DriftBenchmark() {}

  /** Prints a table; the argument is the installed layout. */
  public static void main(String[] arguments) throws Exception {
    Figures figures = new Figures();
    Path directory = Files.createTempDirectory("slipway-bench");
    try (BenchCluster plane = new BenchCluster();
        BareApply bare = new BareApply(plane.plane().administrator());
        BenchServer server = new BenchServer(Path.of(arguments[0]), directory)) {
      provider(directory, plane.plane().administrator().text());
      server.configure(
          """
            - {source: filesystem, path: ./maps, grants: {clusters: [bench]}}
          observe: {drift: correct}
          clusters:
            bench: {kubeconfig: '${file:kubeconfig}', namespaces: ['{team}-*']}
          """);
      server.start();
      server.deploy("shop", "map", RESOURCES);
      String maps = "/api/v1/namespaces/" + healthy(server) + "-default/configmaps/";
      List<Double> both = new ArrayList<>();
      List<Double> reverted = new ArrayList<>();
      for (int i = 0; i < RESOURCES; i++) {
        both.add(changedTwice(bare, maps));
        reverted.add(reverted(bare, maps + "r-" + i));
      }
      add(figures, reverted, both);
    }
    figures.print();
    System.exit(0);
  }

  private static void provider(Path directory, String kubeconfig) throws Exception {
    Path provider = Files.createDirectories(directory.resolve("maps"));
    Files.writeString(provider.resolve("provider.yaml"), PROVIDER);
    Files.writeString(
        provider.resolve("make.yaml"), WORKFLOW.formatted("make", NAMESPACE, "apply"));
    Files.writeString(provider.resolve("look.yaml"), WORKFLOW.formatted("look", "", "check"));
    Files.writeString(directory.resolve("kubeconfig"), kubeconfig);
  }

  /** Waits until all resources are; their team. */
  private static String healthy(BenchServer server) throws Exception {
    Instant until = Instant.now().plus(PATIENCE);
    while (true) {
      List<Map<String, Object>> all =
          BenchServer.items(server.get("/api/applications/shop"), "resources");
      if (all.stream().allMatch(each -> "Healthy".equals(each.get("health")))) {
        return String.valueOf(all.getFirst().get("team"));
      }
      if (Instant.now().isAfter(until)) {
        throw new IllegalStateException("not all resources are healthy: " + all);
      }
      TimeUnit.MILLISECONDS.sleep(200);
    }
  }

  private static double reverted(BareApply bare, String path) throws Exception {
    bare.merge(path, "{\"data\":{\"colour\":\"blue\"}}");
    long start = System.nanoTime();
    long until = start + PATIENCE.toNanos();
    while (!"red".equals(Values.map(Json.readMap(bare.get(path)).get("data")).get("colour"))) {
      if (System.nanoTime() > until) {
        throw new IllegalStateException(path + " was not put back");
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
    return (System.nanoTime() - start) / 1e6;
  }

  /** An apply and a look at it, of an object that is not Slipway's. */
  private static double changedTwice(BareApply bare, String maps) throws Exception {
    long start = System.nanoTime();
    bare.apply(
        maps + "bare",
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "ConfigMap",
            "metadata",
            Map.of("name", "bare"),
            "data",
            Map.of("at", String.valueOf(start))));
    bare.get(maps + "bare");
    return (System.nanoTime() - start) / 1e6;
  }

  private static void add(Figures figures, List<Double> reverted, List<Double> both) {
    Collections.sort(reverted);
    Collections.sort(both);
    figures.add(
        "a changed field is put back, p50, p99",
        "%.0f ms, %.0f ms".formatted(share(reverted, 0.5), share(reverted, 0.99)),
        "< 300 ms, < 1 s",
        "an apply and a look at it: %.1f ms, %.1f ms"
            .formatted(share(both, 0.5), share(both, 0.99)),
        "%.1f, %.1f%s"
            .formatted(
                share(reverted, 0.5) / share(both, 0.5),
                share(reverted, 0.99) / share(both, 0.99),
                share(reverted, 0.5) < MEDIAN && share(reverted, 0.99) < WORST ? "" : " (missed)"));
  }

  private static double share(List<Double> sorted, double share) {
    return sorted.get((int) Math.min(sorted.size() - 1, Math.ceil(share * sorted.size()) - 1));
  }
}
