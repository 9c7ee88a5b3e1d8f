package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.resolve.Manifest.Capability;
import dev.slipway.engine.resolve.Manifest.Entry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What must hold between the parts of a manifest: references, aliases, one workflow a type. */
final class ManifestRules {
  private final Manifest manifest;
  private final Section capabilities;
  private final Section root;
  private final Set<String> workflowNames = new LinkedHashSet<>();
  private final Map<String, Capability> byType = new TreeMap<>();

  ManifestRules(Manifest manifest, Section capabilities, Section root) {
    this.manifest = manifest;
    this.capabilities = capabilities;
    this.root = root;
    manifest.workflows().forEach(w -> workflowNames.add(w.name()));
  }

  void check() {
    eachTypeOnce(manifest.resourceTypes().stream().map(Manifest.Claim::type).toList());
    eachTypeOnce(manifest.capabilities().stream().map(Capability::type).toList());
    manifest.capabilities().forEach(c -> byType.putIfAbsent(c.type(), c));
    List<Section> sections = capabilities.sections("resourceTypeCapabilities");
    for (int i = 0; i < manifest.capabilities().size(); i++) {
      Capability capability = manifest.capabilities().get(i);
      workflowsExist(capability, sections.get(i));
      aliasLeadsSomewhere(capability, sections.get(i));
    }
    simpleFormIsClear();
  }

  /** A type may be in both forms (the per-operation one wins), but in neither of them twice. */
  private void eachTypeOnce(List<String> types) {
    Set<String> seen = new HashSet<>();
    for (String type : types) {
      if (!seen.add(type)) {
        capabilities.error(
            "duplicate-type",
            "resource type '" + type + "' is listed twice",
            "Remove one of them.");
      }
    }
  }

  private List<String> types() {
    List<String> all = new ArrayList<>();
    manifest.resourceTypes().forEach(c -> all.add(c.type()));
    manifest.capabilities().forEach(c -> all.add(c.type()));
    return all;
  }

  private void workflowsExist(Capability capability, Section section) {
    capability
        .operations()
        .forEach(
            (operation, choice) -> {
              Section at = section.requiredSection("operations").requiredSection(operation.text());
              choice.options().forEach(o -> exists(o.workflow(), at));
              if (choice.fallback() != null
                  && choice.options().stream()
                      .noneMatch(o -> o.workflow().equals(choice.fallback()))) {
                at.error(
                    "default",
                    "unknown-workflow",
                    "'" + choice.fallback() + "' is none of the options",
                    null);
              }
            });
  }

  private void exists(String workflow, Section at) {
    if (!workflow.isEmpty() && !workflowNames.contains(workflow)) {
      at.error(
          at.has("workflow") ? "workflow" : "workflows",
          "unknown-workflow",
          "no workflow is named '" + workflow + "'",
          Nearest.hintOrList(workflow, workflowNames));
    }
  }

  private void aliasLeadsSomewhere(Capability capability, Section section) {
    List<String> way = new ArrayList<>(List.of(capability.type()));
    String target = capability.aliasFor();
    while (target != null) {
      if (way.contains(target)) {
        way.add(target);
        section.error(
            "aliasFor",
            "alias-cycle",
            "the aliases go in a circle: " + String.join(" -> ", way),
            null);
        return;
      }
      way.add(target);
      Capability next = byType.get(target);
      if (next == null) {
        if (manifest.resourceTypes().stream().noneMatch(c -> c.type().equals(way.getLast()))) {
          section.error(
              "aliasFor",
              "unknown-type",
              "this provider does not offer '" + target + "'",
              Nearest.hintOrList(target, types()));
        }
        return;
      }
      target = next.aliasFor();
    }
  }

  private void simpleFormIsClear() {
    for (Manifest.Claim claim : manifest.resourceTypes()) {
      if (byType.containsKey(claim.type())) {
        continue;
      }
      for (Operation operation : Operation.values()) {
        List<Entry> candidates = SimpleForm.candidates(manifest, claim.type(), operation);
        if (candidates.size() > 1) {
          capabilities.error(
              "resourceTypes",
              "ambiguous-workflow",
              "several workflows could "
                  + operation.text()
                  + " '"
                  + claim.type()
                  + "': "
                  + String.join(", ", candidates.stream().map(Entry::name).toList()),
              "Say which with resourceType, an operation, or the per-operation form.");
          return;
        }
        if (operation == Operation.CREATE && candidates.isEmpty()) {
          capabilities.error(
              "resourceTypes",
              "no-workflow",
              "no workflow can create '" + claim.type() + "'",
              "Add one with category: provisioner.");
        }
      }
    }
    if (types().isEmpty()
        && manifest.workflows().stream()
            .noneMatch(w -> w.category() == Manifest.Category.GOLDEN_PATH)) {
      root.warning(
          "metadata",
          "no-capability",
          "the provider offers no resource type and no golden path",
          "Its workflows can only be used as steps of others; list types under capabilities.");
    }
  }
}
