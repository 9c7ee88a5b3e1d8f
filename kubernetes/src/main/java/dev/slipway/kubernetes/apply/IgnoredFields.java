package dev.slipway.kubernetes.apply;

import dev.slipway.kubernetes.apply.ObjectField.Item;
import dev.slipway.kubernetes.apply.ObjectField.Named;
import dev.slipway.kubernetes.apply.ObjectField.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fields whose changes are no drift: {@code spec.replicas}, {@code /spec/replicas}, {@code
 * Deployment spec.template.spec.containers[name=web].image}, {@code data[*]}; with everything below
 * them.
 */
public record IgnoredFields(List<One> fields) {
  /** None. */
  public static final IgnoredFields NONE = new IgnoredFields(List.of());

  private static final Pattern SEGMENT = Pattern.compile("\\.?([^.\\[\\]]+)|\\[([^\\]]+)\\]");
  private static final Pattern KEYS = Pattern.compile("([A-Za-z0-9_-]+)=\"?([^\",]*)\"?");

  /**
   * One of them.
   *
   * @param kind of the objects; empty: of all
   * @param segments names, indices, {@code name=web} or {@code *}
   */
  public record One(Optional<String> kind, List<String> segments) {
    private boolean covers(String ofKind, ObjectField field) {
      if (kind.isPresent() && !kind.get().equals(ofKind)
          || segments.size() > field.parts().size()) {
        return false;
      }
      for (int i = 0; i < segments.size(); i++) {
        if (!names(segments.get(i), field.parts().get(i))) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * As a step writes them.
   *
   * @throws RefusedException when one cannot be read
   */
  public static IgnoredFields of(List<?> written) throws RefusedException {
    List<One> all = new ArrayList<>();
    for (Object each : written) {
      all.add(one(Objects.toString(each, "").strip()));
    }
    return new IgnoredFields(List.copyOf(all));
  }

  private static One one(String text) throws RefusedException {
    String[] words = text.split("\\s+");
    String path = words[words.length - 1];
    List<String> segments = path.startsWith("/") ? pointer(path) : dotted(path);
    if (words.length > 2 || segments.isEmpty() || segments.contains("")) {
      throw RefusedException.last(
          "invalid-config",
          "'" + text + "' in ignoreFields names no field",
          "Write spec.replicas, /spec/replicas, or Deployment spec.replicas.");
    }
    return new One(words.length == 2 ? Optional.of(words[0]) : Optional.empty(), segments);
  }

  private static List<String> pointer(String path) {
    return Arrays.stream(path.substring(1).split("/", -1))
        .map(segment -> segment.replace("~1", "/").replace("~0", "~"))
        .toList();
  }

  private static List<String> dotted(String path) {
    List<String> segments = new ArrayList<>();
    Matcher matcher = SEGMENT.matcher(path);
    int end = 0;
    while (matcher.find() && matcher.start() == end) {
      segments.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
      end = matcher.end();
    }
    return end == path.length() ? segments : List.of();
  }

  private static boolean names(String segment, Part part) {
    return segment.equals("*")
        || switch (part) {
          case Named(String name) -> segment.equals(name);
          case Item item -> segment.equals(Integer.toString(item.index())) || keys(segment, item);
        };
  }

  private static boolean keys(String segment, Item item) {
    return segment.contains("=")
        && KEYS.matcher(segment)
            .results()
            .allMatch(key -> key.group(2).equals(String.valueOf(item.names().get(key.group(1)))));
  }

  boolean cover(String kind, ObjectField field) {
    return fields.stream().anyMatch(one -> one.covers(kind, field));
  }
}
