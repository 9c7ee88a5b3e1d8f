package dev.slipway.applications.plan;

import dev.slipway.applications.score.ScorePlaceholder;
import dev.slipway.applications.score.Substitution;
import dev.slipway.engine.intake.Canonical;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.plan.UnknownValue;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.SecretBox;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Puts outputs of resources in the place of placeholders. What embeds a secret becomes one; what
 * has to wait for a resource is marked; what no resource offers is reported.
 */
public final class Binding {

  /** What a name stands for at the moment. */
  public sealed interface Answer {
    /** Its outputs are there. */
    record Ready(String id, Map<String, @Nullable Object> outputs) implements Answer {}

    /** Its outputs will come or change. */
    record Pending() implements Answer {}

    /** There is no such resource. */
    record Absent() implements Answer {}
  }

  /** Finds a resource by the name that placeholders use. */
  @FunctionalInterface
  public interface Lookup {
    Answer find(String resource);
  }

  /** What becomes of a string that is exactly one placeholder. */
  public enum Typing {
    /** It takes the value's JSON type: params. */
    KEPT,
    /** It stays text: variables, files, volumes. */
    TEXT
  }

  /** The tree with values in place; complete when nothing is pending or missing. */
  public record Bound(
      @Nullable Object value, Set<String> pending, List<String> missing, @Nullable String hint) {
    /** Whether it can be used. */
    public boolean complete() {
      return pending.isEmpty() && missing.isEmpty();
    }

    /** The value as a map. */
    @SuppressWarnings("unchecked")
    public Map<String, @Nullable Object> map() {
      return value == null ? Map.of() : (Map<String, @Nullable Object>) value;
    }
  }

  private final SecretBox box;
  private final Lookup lookup;
  private final Typing typing;
  private final Set<String> pending = new TreeSet<>();
  private final List<String> missing = new ArrayList<>();
  private @Nullable String hint;

  private Binding(SecretBox box, Lookup lookup, Typing typing) {
    this.box = box;
    this.lookup = lookup;
    this.typing = typing;
  }

  /** Binds a whole tree. */
  public static Bound bind(@Nullable Object tree, Typing typing, SecretBox box, Lookup lookup) {
    Binding binding = new Binding(box, lookup, typing);
    Object value = binding.walk(tree);
    return new Bound(value, binding.pending, List.copyOf(binding.missing), binding.hint);
  }

  private @Nullable Object walk(@Nullable Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> out = LinkedHashMap.newLinkedHashMap(map.size());
        map.forEach((k, v) -> out.put((String) k, walk(v)));
        yield out;
      }
      case List<?> list -> {
        List<@Nullable Object> out = new ArrayList<>(list.size());
        list.forEach(v -> out.add(walk(v)));
        yield out;
      }
      case String text -> text.indexOf('$') < 0 ? text : text(text, Secrecy.PLAIN);
      case Sealed sealed -> sealed(sealed);
      case null -> null;
      default -> value;
    };
  }

  private enum Secrecy {
    PLAIN,
    SECRET
  }

  private @Nullable Object sealed(Sealed sealed) {
    return box.open(sealed) instanceof String text && text.indexOf('$') >= 0
        ? text(text, Secrecy.SECRET)
        : sealed;
  }

  private @Nullable Object text(String text, Secrecy secrecy) {
    Substitution substitution = Substitution.parse(text);
    List<Substitution.Reference> references = substitution.references();
    boolean later = false;
    boolean secret = secrecy == Secrecy.SECRET;
    for (Substitution.Reference reference : references) {
      Found found = find(reference.placeholder());
      later |= found.later();
      secret |= found.secret();
    }
    if (later) {
      return UnknownValue.VALUE;
    }
    if (typing == Typing.KEPT && references.size() == 1 && isWhole(text, references.getFirst())) {
      Object value = find(references.getFirst().placeholder()).value();
      return secrecy == Secrecy.SECRET && !(value instanceof Sealed) ? box.seal(value) : value;
    }
    Object clear =
        substitution
            .text(p -> new Substitution.Answer.Value(box.openLeaves(find(p).value())))
            .value();
    return secret ? box.seal(clear) : clear;
  }

  private static boolean isWhole(String text, Substitution.Reference reference) {
    return reference.offset() == 0 && text.indexOf('}') == text.length() - 1;
  }

  private record Found(@Nullable Object value, boolean later) {
    boolean secret() {
      return contains(value);
    }

    private static boolean contains(@Nullable Object tree) {
      return switch (tree) {
        case Sealed _ -> true;
        case Map<?, ?> map -> map.values().stream().anyMatch(Found::contains);
        case List<?> list -> list.stream().anyMatch(Found::contains);
        case null, default -> false;
      };
    }
  }

  private Found find(ScorePlaceholder placeholder) {
    return switch (placeholder) {
      case ScorePlaceholder.Output output -> output(output);
      case ScorePlaceholder.Id(String resource) ->
          switch (lookup.find(resource)) {
            case Answer.Ready ready -> new Found(ready.id(), false);
            case Answer.Pending _ -> waiting(resource);
            case Answer.Absent _ -> nothing("there is no resource '" + resource + "'", null);
          };
      // OwnValues replaced these when the document was accepted.
      case ScorePlaceholder.Metadata _, ScorePlaceholder.Environment _, ScorePlaceholder.Image _ ->
          nothing(placeholder + " cannot be used here", null);
    };
  }

  private Found output(ScorePlaceholder.Output output) {
    return switch (lookup.find(output.resource())) {
      case Answer.Ready ready -> descend(ready, output);
      case Answer.Pending _ -> waiting(output.resource());
      case Answer.Absent _ -> nothing("there is no resource '" + output.resource() + "'", null);
    };
  }

  private Found descend(Answer.Ready ready, ScorePlaceholder.Output output) {
    Object here = ready.outputs();
    boolean secret = false;
    for (String key : output.keys()) {
      if (here instanceof Sealed sealed) {
        here = box.open(sealed);
        secret = true;
      }
      if (!(here instanceof Map<?, ?> map) || !map.containsKey(key)) {
        List<String> known =
            here instanceof Map<?, ?> map
                ? map.keySet().stream().map(String::valueOf).sorted().toList()
                : List.of();
        return nothing(
            "resource '" + output.resource() + "' has no output '" + key + "'",
            Nearest.hintOrList(key, known));
      }
      here = map.get(key);
    }
    return new Found(secret ? box.seal(here) : here, false);
  }

  private Found waiting(String resource) {
    pending.add(resource);
    return new Found(null, true);
  }

  private Found nothing(String message, @Nullable String help) {
    if (!missing.contains(message)) {
      missing.add(message);
      hint = hint == null ? help : hint;
    }
    return new Found(null, false);
  }

  /** Text of any value, as it stands in the middle of other text. */
  static String inText(@Nullable Object value) {
    return value instanceof String text ? text : Canonical.text(value);
  }
}
