package dev.slipway.web;

import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Trace and span id of a request for logs; taken from the caller's traceparent if it sent one. */
public record Trace(String id, String span) {
  private static final Pattern PARENT =
      Pattern.compile("[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}");

  /** The trace of a request with that traceparent header. */
  public static Trace of(@Nullable String traceparent) {
    String span = hex(1);
    if (traceparent != null) {
      Matcher parent = PARENT.matcher(traceparent.strip().toLowerCase(Locale.ROOT));
      if (parent.matches() && !parent.group(1).matches("0+")) {
        return new Trace(parent.group(1), span);
      }
    }
    return new Trace(hex(2), span);
  }

  private static String hex(int longs) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < longs; i++) {
      out.append("%016x".formatted(ThreadLocalRandom.current().nextLong()));
    }
    return out.toString();
  }
}
