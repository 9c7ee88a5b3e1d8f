package dev.slipway.engine.intake;

import dev.slipway.gotemplate.EditDistance;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The known name that a person most likely meant by an unknown one. */
public final class Nearest {
  /** Longer names are not compared: the cost grows with the square of the length. */
  private static final int LONGEST = 80;

  /** Of more names than this only the first are compared, so that hostile input stays cheap. */
  private static final int MOST = 500;

  private static final int FAR = 1_000;

  private Nearest() {}

  /** The known name closest to the written one, if any is close enough to be a slip. */
  public static Optional<String> to(String written, Collection<String> known) {
    if (written.isBlank() || written.length() > LONGEST) {
      return Optional.empty();
    }
    String wanted = plain(written);
    String best = null;
    int bestDistance = FAR;
    for (String name : known.stream().limit(MOST).toList()) {
      int distance = distance(wanted, plain(name), tolerance(wanted, name));
      if (distance < bestDistance) {
        bestDistance = distance;
        best = name;
      }
    }
    return Optional.ofNullable(best).or(() -> longer(written, known));
  }

  /** {@code env} may mean {@code environment}, if no other known name starts so. */
  private static Optional<String> longer(String written, Collection<String> known) {
    var longer =
        written.length() < 3
            ? List.<String>of()
            : known.stream().limit(MOST).filter(name -> name.startsWith(written)).toList();
    return longer.size() == 1 ? Optional.of(longer.getFirst()) : Optional.empty();
  }

  /** {@code Did you mean 'postgres'?}, or null when nothing is close: fits a diagnostic's hint. */
  public static @Nullable String hint(String written, Collection<String> known) {
    return to(written, known).map(name -> "Did you mean '" + name + "'?").orElse(null);
  }

  /** The nearest name, else the list of what is allowed when that is short enough to read. */
  public static @Nullable String hintOrList(String written, Collection<String> known) {
    String hint = hint(written, known);
    if (hint != null || known.isEmpty() || known.size() > 12) {
      return hint;
    }
    return "Known here: " + String.join(", ", known) + ".";
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
  }

  private static int tolerance(String wanted, String name) {
    int shorter = Math.min(wanted.length(), name.length());
    return shorter <= 3 ? 1 : shorter <= 7 ? 2 : 3;
  }

  private static int distance(String a, String b, int limit) {
    if (Math.abs(a.length() - b.length()) > limit || b.length() > LONGEST) {
      return FAR;
    }
    int distance = EditDistance.between(a, b);
    return distance <= limit ? distance : FAR;
  }
}
