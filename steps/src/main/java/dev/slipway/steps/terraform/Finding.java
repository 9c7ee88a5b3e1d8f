package dev.slipway.steps.terraform;

import dev.slipway.engine.value.Values;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A diagnostic of the program about a module, with its place. */
record Finding(Severity severity, String summary, String detail, @Nullable String place) {
  enum Severity {
    ERROR,
    WARNING
  }

  /** Reads a diagnostic of the program's JSON; its files are below {@code module}. */
  static Finding of(Map<String, Object> diagnostic, String module) {
    return new Finding(
        "warning".equals(diagnostic.get("severity")) ? Severity.WARNING : Severity.ERROR,
        text(diagnostic.get("summary")),
        text(diagnostic.get("detail")),
        place(Values.map(diagnostic.get("range")), diagnostic.get("address"), module));
  }

  private static @Nullable String place(
      Map<String, Object> range, @Nullable Object address, String module) {
    if (range.get("filename") instanceof String file) {
      Map<String, Object> start = Values.map(range.get("start"));
      String folder = module.isEmpty() ? "" : module + "/";
      return folder + file + ":" + start.get("line") + ":" + start.get("column");
    }
    return address == null ? null : String.valueOf(address);
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : String.valueOf(value).strip();
  }

  boolean isError() {
    return severity == Severity.ERROR;
  }

  /** The diagnostic in one line. */
  String sentence() {
    String what = detail.isEmpty() ? summary : summary + ": " + detail.replaceAll("\\s+", " ");
    return place == null ? what : place + ": " + what;
  }
}
