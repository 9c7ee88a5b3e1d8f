package dev.slipway.steps.terraform;

import dev.slipway.engine.execute.StepLog;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Passes on text output, and collects the errors in it with their places. */
final class HumanLog implements StepLog {
  private static final Pattern ERROR = Pattern.compile("^Error: (.+)");
  private static final Pattern PLACE = Pattern.compile("^on (\\S+) line (\\d+)");

  private final StepLog people;
  private final String module;
  private final List<Finding> findings = new ArrayList<>();
  private @Nullable String summary;

  HumanLog(StepLog people, String module) {
    this.people = people;
    this.module = module;
  }

  @Override
  public synchronized void line(Stream stream, String text) {
    people.line(stream, text);
    String plain = text.replaceFirst("^[│╷╵\\s]+", "");
    Matcher error = ERROR.matcher(plain);
    Matcher place = PLACE.matcher(plain);
    if (error.find()) {
      settle(null);
      summary = error.group(1).strip();
    } else if (summary != null && place.find()) {
      String folder = module.isEmpty() ? "" : module + "/";
      settle(folder + place.group(1) + ":" + place.group(2));
    }
  }

  private void settle(@Nullable String place) {
    if (summary != null) {
      findings.add(new Finding(Finding.Severity.ERROR, summary, "", place));
      summary = null;
    }
  }

  synchronized List<Finding> findings() {
    settle(null);
    return List.copyOf(findings);
  }
}
