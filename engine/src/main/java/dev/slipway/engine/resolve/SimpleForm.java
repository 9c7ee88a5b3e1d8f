package dev.slipway.engine.resolve;

import dev.slipway.engine.resolve.Manifest.Category;
import dev.slipway.engine.resolve.Manifest.Entry;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Which workflow of a provider serves a type that it only lists under {@code resourceTypes}. */
final class SimpleForm {
  private SimpleForm() {}

  /** The candidates: none when the operation is not offered, several when the manifest is vague. */
  static List<Entry> candidates(Manifest manifest, String type, Operation operation) {
    Set<String> taken = namedPerOperation(manifest);
    List<Entry> open =
        manifest.workflows().stream()
            .filter(w -> w.category() == Category.PROVISIONER && !taken.contains(w.name()))
            .filter(w -> w.resourceTypes().isEmpty() || w.resourceTypes().contains(type))
            .toList();
    List<Entry> serving = open.stream().filter(w -> w.operation() == operation).toList();
    if (serving.isEmpty()) {
      serving = open.stream().filter(w -> servesToo(w, operation)).toList();
    }
    serving = preferring(serving, w -> w.resourceTypes().contains(type));
    return preferring(serving, w -> w.tags().contains(type));
  }

  private static boolean servesToo(Entry workflow, Operation operation) {
    return switch (operation) {
      case CREATE -> workflow.operation() == null;
      case UPDATE -> workflow.operation() == null || workflow.operation() == Operation.CREATE;
      case READ, DELETE -> false;
    };
  }

  private static List<Entry> preferring(List<Entry> entries, Predicate<Entry> better) {
    List<Entry> preferred = entries.stream().filter(better).toList();
    return entries.size() > 1 && !preferred.isEmpty() ? preferred : entries;
  }

  private static Set<String> namedPerOperation(Manifest manifest) {
    Set<String> names = new HashSet<>();
    manifest
        .capabilities()
        .forEach(
            c ->
                c.operations()
                    .values()
                    .forEach(ch -> ch.options().forEach(o -> names.add(o.workflow()))));
    return names;
  }
}
