package dev.slipway.applications.score;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What stands between {@code ${} and {@code }}: the thing whose value goes there. */
public sealed interface ScorePlaceholder {

  /** The name of the resource that is referred to, if it is one. */
  default Optional<String> referredResource() {
    return switch (this) {
      case Output output -> Optional.of(output.resource());
      case Id id -> Optional.of(id.resource());
      case Metadata _, Environment _, Image _ -> Optional.empty();
    };
  }

  /** {@code ${metadata.a.b}}: a value of the workload's own metadata. */
  record Metadata(List<String> keys) implements ScorePlaceholder {
    public Metadata {
      keys = List.copyOf(keys);
    }

    @Override
    public String toString() {
      return print("metadata", keys);
    }
  }

  /** {@code ${resources.db.host}}: an output of a resource. */
  record Output(String resource, List<String> keys) implements ScorePlaceholder {
    public Output {
      keys = List.copyOf(keys);
    }

    /** The first key: the name of the output itself. */
    public String name() {
      return keys.getFirst();
    }

    @Override
    public String toString() {
      return print("resources." + escape(resource), keys);
    }
  }

  /** {@code ${resources.db}}: the id of a resource. */
  record Id(String resource) implements ScorePlaceholder {
    @Override
    public String toString() {
      return print("resources", List.of(resource));
    }
  }

  /** {@code ${environment.name}} or {@code ${environment.type}}. */
  record Environment(String field) implements ScorePlaceholder {
    @Override
    public String toString() {
      return print("environment", List.of(field));
    }
  }

  /** {@code ${containers.main.image}}, in params only. */
  record Image(String container) implements ScorePlaceholder {
    @Override
    public String toString() {
      return print("containers", List.of(container, "image"));
    }
  }

  private static String print(String root, List<String> keys) {
    return "${"
        + root
        + keys.stream().map(key -> "." + escape(key)).collect(Collectors.joining())
        + "}";
  }

  private static String escape(String key) {
    return key.replace(".", "\\.");
  }
}
