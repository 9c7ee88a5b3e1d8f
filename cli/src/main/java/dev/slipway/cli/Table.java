package dev.slipway.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Rows in columns as wide as they need to be. */
final class Table {
  private record Column(String title, Width width, Function<Map<String, Object>, String> cell) {}

  /** Whether a column is shown always or only with {@code -o wide}. */
  enum Width {
    ALWAYS,
    WIDE
  }

  private final List<Column> columns = new ArrayList<>();

  Table column(String title, String key) {
    return column(title, row -> text(row.get(key)));
  }

  Table column(String title, Function<Map<String, Object>, String> cell) {
    columns.add(new Column(title, Width.ALWAYS, cell));
    return this;
  }

  Table wide(String title, String key) {
    return wide(title, row -> text(row.get(key)));
  }

  Table wide(String title, Function<Map<String, Object>, String> cell) {
    columns.add(new Column(title, Width.WIDE, cell));
    return this;
  }

  List<String> lines(List<Map<String, Object>> rows, Format format, Screen screen) {
    List<Column> shown =
        columns.stream().filter(c -> c.width() == Width.ALWAYS || format == Format.WIDE).toList();
    List<List<String>> cells = new ArrayList<>();
    cells.add(shown.stream().map(Column::title).toList());
    rows.forEach(row -> cells.add(shown.stream().map(c -> oneLine(c.cell().apply(row))).toList()));
    int[] widths = new int[shown.size()];
    cells.forEach(
        line -> {
          for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], line.get(i).length());
          }
        });
    List<String> lines = new ArrayList<>();
    for (int r = 0; r < cells.size(); r++) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String cell = cells.get(r).get(i);
        boolean last = i == widths.length - 1;
        String padded = last ? cell : cell + " ".repeat(widths[i] - cell.length() + 2);
        boolean state =
            r > 0 && List.of("STATE", "STATUS", "HEALTH").contains(shown.get(i).title());
        line.append(state ? screen.paint(screen.inkOf(cell), padded) : padded);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private static String oneLine(String text) {
    String flat = text.replaceAll("\\s+", " ");
    return flat.length() > 80 ? flat.substring(0, 79) + "…" : flat;
  }

  static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "-";
      case String s -> s.isEmpty() ? "-" : s;
      case List<?> list ->
          list.isEmpty() ? "-" : String.join(",", list.stream().map(String::valueOf).toList());
      default -> String.valueOf(value);
    };
  }
}
