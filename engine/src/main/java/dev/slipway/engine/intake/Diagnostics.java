package dev.slipway.engine.intake;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects everything a stage finds, so that a person sees all of it at once. A stage runs to its
 * end, then the caller asks {@link #hasErrors()} and stops. Not for use by several threads.
 *
 * <p>Past {@link #MAX} errors, and as many warnings, the rest is only counted: a hostile text must
 * not turn into a report many times its size.
 */
public final class Diagnostics {
  public static final int MAX = 200;
  private static final Comparator<Diagnostic> BY_PLACE =
      Comparator.comparing(Diagnostic::file)
          .thenComparingInt(Diagnostic::line)
          .thenComparingInt(Diagnostic::column);

  private final EnumMap<Severity, LinkedHashSet<Diagnostic>> found = new EnumMap<>(Severity.class);
  private int errors;
  private int unlisted;

  /** Adds one finding; the same finding twice is one. Errors are counted even past the maximum. */
  public void add(Diagnostic diagnostic) {
    var alike = of(diagnostic.severity());
    boolean full = alike.size() >= MAX;
    if (full) {
      unlisted++;
    }
    if (full || alike.add(diagnostic)) {
      errors += diagnostic.isError() ? 1 : 0;
    }
  }

  private LinkedHashSet<Diagnostic> of(Severity severity) {
    return found.computeIfAbsent(severity, _ -> new LinkedHashSet<>());
  }

  public void addAll(Iterable<Diagnostic> diagnostics) {
    diagnostics.forEach(this::add);
  }

  public boolean hasErrors() {
    return errors > 0;
  }

  public int errorCount() {
    return errors;
  }

  /** Whether another error would only be counted: a reason to stop looking. */
  public boolean isFull() {
    return of(Severity.ERROR).size() >= MAX;
  }

  /** How many findings past {@link #MAX} were left out of the list. */
  public int unlisted() {
    return unlisted;
  }

  /** All findings in the order of the text, file by file. */
  public List<Diagnostic> all() {
    return found.values().stream().flatMap(Set::stream).sorted(BY_PLACE).toList();
  }

  public List<Diagnostic> errors() {
    return all().stream().filter(Diagnostic::isError).toList();
  }

  public List<Diagnostic> warnings() {
    return all().stream().filter(finding -> !finding.isError()).toList();
  }

  /** One line a finding. */
  @Override
  public String toString() {
    return String.join("\n", all().stream().map(Diagnostic::text).toList());
  }
}
