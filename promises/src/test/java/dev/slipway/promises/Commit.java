package dev.slipway.promises;

import dev.slipway.testbed.PostgresProxy.Transaction;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a transaction did, in short: which tables it wrote to, and how. */
final class Commit {
  private static final Pattern WRITE =
      Pattern.compile(
          "\\b(INSERT)\\s+INTO\\s+(\\w+)|\\b(UPDATE)\\s+(\\w+)\\s+(?:\\w+\\s+)?SET|\\b(DELETE)\\s+FROM\\s+(\\w+)",
          Pattern.CASE_INSENSITIVE);

  /** Prolonged, given back or called back: nothing else begins with that column. */
  private static final Pattern LEASE = Pattern.compile("UPDATE runs (r )?SET claimable_at");

  private Commit() {}

  /**
   * Whether it belongs to a request: not upkeep that comes and goes with time, and not a poll for
   * work that finds none.
   */
  static boolean counts(Transaction transaction) {
    return transaction.rows().orElse(1) > 0
        && transaction.statements().stream().anyMatch(s -> !upkeep(s));
  }

  private static boolean upkeep(String statement) {
    return statement.contains("api_keys") && statement.startsWith("UPDATE")
        || LEASE.matcher(statement).find()
        || statement.contains("flyway")
        || statement.contains("split_part(owner")
        || statement.contains("INTO audit")
        || statement.contains("replicas");
  }

  static String label(Transaction transaction) {
    TreeSet<String> parts = new TreeSet<>();
    for (String statement : transaction.statements()) {
      Matcher matcher = WRITE.matcher(statement);
      while (matcher.find()) {
        String verb = first(matcher, 1, 3, 5);
        parts.add(verb.toLowerCase(java.util.Locale.ROOT) + " " + first(matcher, 2, 4, 6));
      }
    }
    return String.join(", ", parts);
  }

  private static String first(Matcher matcher, int... groups) {
    for (int group : groups) {
      if (matcher.group(group) != null) {
        return matcher.group(group);
      }
    }
    throw new IllegalStateException();
  }
}
