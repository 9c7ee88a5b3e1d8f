package dev.slipway.applications.plan;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.resolve.Manifest;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.workflow.Parameter;
import dev.slipway.engine.workflow.Workflow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The providers that the tables of cases speak of, in memory. Every workflow is named after its
 * operation and type ({@code update-postgres}), takes {@code size} (at most 99) and {@code name},
 * which identifies the resource, and declares the outputs {@code host} and {@code port}.
 *
 * <ul>
 *   <li>{@code postgres}: create, read, update, delete
 *   <li>{@code queue}: create, delete
 *   <li>{@code bucket}: create
 *   <li>{@code volume}: like postgres, with the deletion policy retain
 *   <li>{@code strict}: like postgres, and {@code region} is required
 *   <li>{@code twice}: claimed by two providers of one level
 *   <li>{@code tool}: like postgres, but the server lacks the program that its workflows need
 * </ul>
 */
public final class TableOffers {
  private TableOffers() {}

  /** What they offer. */
  public static Offers offers() {
    return new Offers(
        new Registry(
            List.of(
                provider(
                    "main-team",
                    List.of(
                        capability("postgres", null, Operation.values()),
                        capability("queue", null, Operation.CREATE, Operation.DELETE),
                        capability("bucket", null, Operation.CREATE),
                        capability("volume", "retain", Operation.values()),
                        capability("strict", null, Operation.values()),
                        capability("twice", null, Operation.CREATE),
                        capability("tool", null, Operation.values()))),
                provider("other-team", List.of(capability("twice", null, Operation.CREATE)))),
            List.of()),
        "default");
  }

  private static Manifest.Capability capability(
      String type, @Nullable String policy, Operation... operations) {
    Map<Operation, Manifest.Choice> choices = new LinkedHashMap<>();
    for (Operation operation : operations) {
      choices.put(
          operation,
          new Manifest.Choice(
              List.of(new Manifest.Choice.Option(workflow(operation, type), List.of())), null));
    }
    return new Manifest.Capability(type, "provider.yaml:1:1", null, policy, choices);
  }

  private static String workflow(Operation operation, String type) {
    return operation.text() + "-" + type;
  }

  private static Provider provider(String name, List<Manifest.Capability> capabilities) {
    Map<String, Resolution.Definition> definitions = new LinkedHashMap<>();
    Map<String, List<Diagnostic>> missing = new LinkedHashMap<>();
    for (Manifest.Capability capability : capabilities) {
      for (Operation operation : capability.operations().keySet()) {
        String workflow = workflow(operation, capability.type());
        definitions.put(workflow, definition(name, workflow, capability.type()));
        if (capability.type().equals("tool")) {
          missing.put("hash-of-" + workflow, List.of(noProgram()));
        }
      }
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
            List.of(),
            Map.of());
    return new Provider(
        manifest,
        ProviderSource.directory(java.nio.file.Path.of(name), 0),
        "provider.yaml",
        null,
        "hash-of-" + name,
        definitions,
        missing);
  }

  private static Diagnostic noProgram() {
    return Diagnostic.error(
        "missing-program", "w.yaml", Path.ROOT, Position.START, "no program 'terraform'", null);
  }

  private static Resolution.Definition definition(String provider, String workflow, String type) {
    List<Parameter> parameters =
        new ArrayList<>(
            Arrays.asList(
                parameter("size", Parameter.Need.OPTIONAL, Parameter.Part.CONFIGURING),
                parameter("name", Parameter.Need.OPTIONAL, Parameter.Part.IDENTIFYING)));
    if (type.equals("strict")) {
      parameters.add(parameter("region", Parameter.Need.REQUIRED, Parameter.Part.CONFIGURING));
    }
    Map<String, Workflow.Output> outputs = new LinkedHashMap<>();
    outputs.put("host", new Workflow.Output("x", Workflow.Secrecy.PLAIN));
    outputs.put("port", new Workflow.Output("x", Workflow.Secrecy.PLAIN));
    return new Resolution.Definition(
        provider,
        "1.0.0",
        null,
        "hash-of-" + workflow,
        null,
        Map.of(),
        new Workflow(workflow, "", parameters, Map.of(), List.of(), outputs, List.of()),
        "",
        Map.of());
  }

  private static Parameter parameter(String name, Parameter.Need need, Parameter.Part part) {
    return new Parameter(
        name,
        Parameter.Type.ANY,
        need,
        null,
        "",
        List.of(),
        name.equals("size") ? "[a-z0-9.]{1,12}" : null,
        null,
        null,
        Workflow.Secrecy.PLAIN,
        part);
  }
}
