package dev.slipway.engine.resolve;

import dev.slipway.engine.workflow.Parameter;
import dev.slipway.engine.workflow.Workflow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The description of a provider for its users, as plain values. */
public final class ProviderSheet {
  private final Provider provider;
  private final Manifest manifest;

  private ProviderSheet(Provider provider) {
    this.provider = provider;
    this.manifest = provider.manifest();
  }

  /** Types with the workflows of each operation. */
  public static List<Map<String, Object>> types(Provider provider) {
    ProviderSheet sheet = new ProviderSheet(provider);
    return sheet.manifest.claimedTypes().stream().map(sheet::type).toList();
  }

  /** Workflows with parameters, steps and outputs. */
  public static List<Map<String, Object>> workflows(Provider provider) {
    ProviderSheet sheet = new ProviderSheet(provider);
    return sheet.manifest.workflows().stream().map(sheet::workflow).toList();
  }

  /** The versions of the contract that it was made for. */
  public static Map<String, Object> compatibility(Manifest manifest) {
    Map<String, Object> out = new LinkedHashMap<>();
    put(out, "minCoreVersion", manifest.minCoreVersion());
    put(out, "maxCoreVersion", manifest.maxCoreVersion());
    return out;
  }

  private Map<String, Object> type(String type) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("type", type);
    String target = manifest.target(type);
    put(out, "aliasFor", target.equals(type) ? null : target);
    put(
        out,
        "deletionPolicy",
        manifest.capability(type).map(Manifest.Capability::deletionPolicy).orElse(null));
    Map<String, Object> operations = new LinkedHashMap<>();
    for (Operation operation : Operation.values()) {
      List<Map<String, Object>> options = options(type, operation);
      if (!options.isEmpty()) {
        operations.put(operation.text(), options);
      }
    }
    out.put("operations", operations);
    return out;
  }

  private List<Map<String, Object>> options(String type, Operation operation) {
    Manifest.Choice choice =
        manifest.capability(type).map(c -> c.operations().get(operation)).orElse(null);
    if (choice == null || choice.options().size() == 1) {
      return provider.workflow(type, operation, List.of()).stream()
          .map(d -> option(entryOf(d), List.of(), null))
          .toList();
    }
    return choice.options().stream()
        .map(o -> option(o.workflow(), o.tags(), choice.fallback()))
        .toList();
  }

  private String entryOf(Resolution.Definition definition) {
    return provider.definitions().entrySet().stream()
        .filter(e -> e.getValue().hash().equals(definition.hash()))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(definition.workflow().name());
  }

  private static Map<String, Object> option(
      String workflow, List<String> tags, @Nullable String fallback) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("workflow", workflow);
    out.put("tags", tags);
    out.put("usual", fallback == null || fallback.equals(workflow));
    return out;
  }

  private Map<String, Object> workflow(Manifest.Entry entry) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", entry.name());
    out.put("category", word(entry.category()));
    put(out, "operation", entry.operation() == null ? null : entry.operation().text());
    Resolution.Definition definition = provider.definitions().get(entry.name());
    String described = definition == null ? "" : definition.workflow().description();
    out.put("description", entry.description().isEmpty() ? described : entry.description());
    out.put("tags", entry.tags());
    out.put("file", entry.file());
    if (definition != null) {
      Workflow workflow = definition.workflow();
      out.put("parameters", workflow.parameters().stream().map(ProviderSheet::parameter).toList());
      out.put("steps", steps(workflow));
      out.put("outputs", outputs(workflow));
    }
    return out;
  }

  private static List<Map<String, Object>> steps(Workflow workflow) {
    List<Map<String, Object>> steps = new ArrayList<>();
    workflow
        .steps()
        .forEach(
            s -> {
              Map<String, Object> one = new LinkedHashMap<>();
              one.put("name", s.name());
              one.put("type", s.type());
              steps.add(one);
            });
    return steps;
  }

  private static List<Map<String, Object>> outputs(Workflow workflow) {
    List<Map<String, Object>> outputs = new ArrayList<>();
    workflow
        .outputs()
        .forEach(
            (name, output) -> {
              Map<String, Object> one = new LinkedHashMap<>();
              one.put("name", name);
              one.put("secret", output.secrecy() == Workflow.Secrecy.SECRET);
              outputs.add(one);
            });
    return outputs;
  }

  /** A parameter with its constraints; a secret's default is not shown. */
  public static Map<String, Object> parameter(Parameter parameter) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", parameter.name());
    out.put("type", word(parameter.type()));
    out.put("required", parameter.need() == Parameter.Need.REQUIRED);
    out.put("description", parameter.description());
    boolean secret =
        parameter.secrecy() == Workflow.Secrecy.SECRET || parameter.type() == Parameter.Type.SECRET;
    out.put("secret", secret);
    put(out, "default", secret ? null : parameter.defaultValue());
    put(out, "allowed", parameter.allowed().isEmpty() ? null : parameter.allowed());
    put(out, "pattern", parameter.pattern());
    put(out, "min", parameter.min());
    put(out, "max", parameter.max());
    return out;
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static void put(Map<String, Object> out, String key, @Nullable Object value) {
    if (value != null) {
      out.put(key, value);
    }
  }
}
