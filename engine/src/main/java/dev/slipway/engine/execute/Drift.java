package dev.slipway.engine.execute;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares the outputs of a {@code read} run with the recorded outputs of a resource. Only outputs
 * that both contain are compared: a read may return fewer or more.
 *
 * @param compared how many outputs both name
 * @param differing the names of those that differ, never their values
 */
record Drift(int compared, List<String> differing) {
  private static final int MOST_NAMED = 20;

  static Drift between(Map<String, Object> known, Map<String, Object> found) {
    TreeSet<String> names = new TreeSet<>(known.keySet());
    names.retainAll(found.keySet());
    return new Drift(
        names.size(),
        names.stream().filter(name -> !same(known.get(name), found.get(name))).toList());
  }

  /** Those that differ, as a text of bounded length. */
  String names() {
    String names = String.join(", ", differing.stream().limit(MOST_NAMED).toList());
    int more = differing.size() - MOST_NAMED;
    return more > 0 ? names + " and " + more + " more" : names;
  }

  /** What is wrong; nothing when all is as it was left. */
  Optional<StepError> error() {
    if (differing.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        StepError.permanent(
            StepError.DRIFT,
            "not as it was left: " + names(),
            "Put it right and look again, or ask for it with other params."));
  }

  /** Numbers are compared by value: the database may write one differently than it was given. */
  private static boolean same(@Nullable Object one, @Nullable Object other) {
    if (one instanceof Number a && other instanceof Number b) {
      return new BigDecimal(a.toString()).compareTo(new BigDecimal(b.toString())) == 0;
    }
    if (one instanceof Map<?, ?> a && other instanceof Map<?, ?> b) {
      return a.keySet().equals(b.keySet())
          && a.keySet().stream().allMatch(key -> same(a.get(key), b.get(key)));
    }
    if (one instanceof List<?> a && other instanceof List<?> b) {
      boolean equal = a.size() == b.size();
      for (int i = 0; equal && i < a.size(); i++) {
        equal = same(a.get(i), b.get(i));
      }
      return equal;
    }
    return Objects.equals(one, other);
  }
}
