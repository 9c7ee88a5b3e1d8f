package dev.slipway.applications.store;

import dev.slipway.engine.resolve.Manifest;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.workflow.Parameter;
import dev.slipway.engine.workflow.Workflow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Providers as they are after loading, without files. */
final class TestProviders {
  private final List<Provider> providers = new ArrayList<>();

  /** One that creates, updates, deletes and reads the types. */
  TestProviders full(String name, String... types) {
    return with(name, null, List.of(Operation.values()), types);
  }

  TestProviders with(
      String name, @Nullable String deletionPolicy, List<Operation> operations, String... types) {
    Map<String, Resolution.Definition> definitions = new HashMap<>();
    List<Manifest.Capability> capabilities = new ArrayList<>();
    List<Manifest.Entry> entries = new ArrayList<>();
    for (String type : types) {
      Map<Operation, Manifest.Choice> choices = new EnumMap<>(Operation.class);
      for (Operation operation : operations) {
        String workflow = operation.text() + "-" + type;
        definitions.put(workflow, definition(name, workflow));
        choices.put(
            operation,
            new Manifest.Choice(
                List.of(new Manifest.Choice.Option(workflow, List.of())), workflow));
      }
      capabilities.add(new Manifest.Capability(type, "1:1", null, deletionPolicy, choices));
    }
    Manifest manifest =
        new Manifest(
            name,
            "1.0.0",
            new Manifest.About("service", "", "", "", "", "", List.of()),
            null,
            null,
            List.of(),
            capabilities,
            entries,
            Map.of());
    providers.add(
        new Provider(
            manifest,
            ProviderSource.directory(Path.of("/providers/" + name), 0),
            "provider.yaml",
            null,
            "hash-of-" + name,
            definitions,
            Map.of()));
    return this;
  }

  private static Resolution.Definition definition(String provider, String workflow) {
    List<Parameter> parameters =
        List.of(
            parameter("size", Parameter.Type.INTEGER, Parameter.Need.OPTIONAL),
            parameter("url", Parameter.Type.STRING, Parameter.Need.OPTIONAL),
            parameter("password", Parameter.Type.STRING, Parameter.Need.OPTIONAL));
    return new Resolution.Definition(
        provider,
        "1.0.0",
        null,
        "hash-of-" + provider,
        null,
        Map.of(),
        new Workflow(workflow, "", parameters, Map.of(), List.of(), Map.of(), List.of()),
        "source of " + workflow,
        Map.of());
  }

  private static Parameter parameter(String name, Parameter.Type type, Parameter.Need need) {
    return new Parameter(
        name,
        type,
        need,
        null,
        "",
        List.of(),
        null,
        null,
        null,
        Workflow.Secrecy.PLAIN,
        Parameter.Part.CONFIGURING);
  }

  Registry registry() {
    return new Registry(providers, List.of());
  }
}
