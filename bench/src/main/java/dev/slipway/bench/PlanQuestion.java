package dev.slipway.bench;

import dev.slipway.applications.plan.Offers;
import dev.slipway.applications.plan.Planned;
import dev.slipway.applications.plan.Planner;
import dev.slipway.applications.plan.Wanted;
import dev.slipway.applications.plan.WantedResource;
import dev.slipway.applications.score.Sharing;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.Manifest;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.workflow.Parameter;
import dev.slipway.engine.workflow.Workflow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** What the planner is asked: a new application with a resource for each node of a graph. */
record PlanQuestion(Planner planner, Wanted wanted) {
  private static final String TYPE = "thing";
  private static final Planner.Question QUESTION =
      new Planner.Question(
          new UUID(7, 7),
          "red",
          null,
          Set.of(),
          Set.of(),
          Optional.empty(),
          AdminConfig.Enforcement.OFF);

  static PlanQuestion of(Map<NodeRef, List<NodeRef>> needs) {
    List<WantedResource> resources = new ArrayList<>();
    needs.forEach((ref, on) -> resources.add(resource(ref, on)));
    Wanted wanted = new Wanted("shop", "default", Map.of(), resources, Map.of(), Set.of(), null);
    return new PlanQuestion(
        new Planner(new Offers(registry(), "default"), new SecretBox(new byte[32])), wanted);
  }

  Planned answer() {
    return planner.plan(wanted, QUESTION, List.of());
  }

  private static WantedResource resource(NodeRef ref, List<NodeRef> on) {
    return new WantedResource(
        name(ref),
        ref.name(),
        TYPE,
        "default",
        Map.of("on", on.stream().map(PlanQuestion::placeholder).toList()),
        Map.of(),
        on.stream().map(PlanQuestion::name).collect(Collectors.toSet()),
        List.of(),
        Optional.empty(),
        Sharing.NONE,
        Optional.empty(),
        WantedResource.Origin.WRITTEN);
  }

  private static String placeholder(NodeRef ref) {
    return "${resources." + name(ref) + ".host}";
  }

  /** {@code r7} of {@code thing.default#shop.r7}. */
  private static String name(NodeRef ref) {
    return ref.name().substring(ref.name().lastIndexOf('.') + 1);
  }

  private static Registry registry() {
    Manifest manifest =
        new Manifest(
            "things",
            "1.0.0",
            new Manifest.About("service", "", "", "", "", "", List.of()),
            null,
            null,
            List.of(),
            List.of(
                new Manifest.Capability(
                    TYPE,
                    "1:1",
                    null,
                    null,
                    Map.of(
                        Operation.CREATE,
                        new Manifest.Choice(
                            List.of(new Manifest.Choice.Option("make", List.of())), "make")))),
            List.of(),
            Map.of());
    Resolution.Definition make =
        new Resolution.Definition(
            "things",
            "1.0.0",
            null,
            "hash",
            null,
            Map.of(),
            new Workflow(
                "make", "", List.of(neighbours()), Map.of(), List.of(), Map.of(), List.of()),
            "",
            Map.of());
    return new Registry(
        List.of(
            new Provider(
                manifest,
                ProviderSource.directory(Path.of("things"), 0),
                "provider.yaml",
                null,
                "hash",
                Map.of("make", make),
                Map.of())),
        List.of());
  }

  /** The workflow declares the param of the documents, as workflows do. */
  private static Parameter neighbours() {
    return new Parameter(
        "on",
        Parameter.Type.ARRAY,
        Parameter.Need.OPTIONAL,
        null,
        "",
        List.of(),
        null,
        null,
        null,
        Workflow.Secrecy.PLAIN,
        Parameter.Part.CONFIGURING);
  }
}
