package dev.slipway.cli;

import dev.slipway.cli.kinds.Kind;
import dev.slipway.cli.kinds.KindTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All fields of an object as people read them; objects of a kind inside it in their columns. */
final class Description {
  private final KindTable table;
  private final Screen screen;
  private final List<String> lines = new ArrayList<>();

  Description(KindTable table, Screen screen) {
    this.table = table;
    this.screen = screen;
  }

  List<String> of(Kind kind, Map<String, Object> object) {
    lines.clear();
    String state = kind.states() == null ? "" : kind.states().field();
    int width = object.keySet().stream().mapToInt(f -> title(f).length()).max().orElse(0);
    object.forEach(
        (field, value) -> {
          if (field.equals(state) && value != null) {
            line(new Place("", title(field), width), screen.state(String.valueOf(value)));
          } else {
            field(new Place("", title(field), width), field, value);
          }
        });
    return List.copyOf(lines);
  }

  /** Where a field is written: how far indented, under which title, and how wide titles are. */
  private record Place(String indent, String title, int width) {}

  private void field(Place place, String field, @Nullable Object value) {
    String deeper = place.indent() + "  ";
    switch (value) {
      case Map<?, ?> map when !map.isEmpty() -> {
        heading(place);
        fields(deeper, map);
      }
      case List<?> list when list.stream().anyMatch(Map.class::isInstance) -> {
        heading(place);
        items(deeper, field, list);
      }
      case String text when text.strip().contains("\n") -> {
        heading(place);
        text.strip().lines().forEach(each -> lines.add(deeper + each));
      }
      case null, default -> line(place, scalar(value));
    }
  }

  /** Names further in stay as they are: many were given by people, such as those of outputs. */
  private void fields(String indent, Map<?, ?> map) {
    int width = map.keySet().stream().mapToInt(f -> String.valueOf(f).length()).max().orElse(0);
    map.forEach(
        (key, value) -> {
          String name = String.valueOf(key);
          field(new Place(indent, name, width), name, value);
        });
  }

  private void items(String indent, String field, List<?> list) {
    Optional<Kind> kind = table.kinds().stream().filter(k -> k.plural().equals(field)).findFirst();
    if (kind.isPresent() && !kind.get().columns().isEmpty()) {
      KindVerb.columns(kind.get())
          .lines(Api.items(list), Format.TABLE, screen)
          .forEach(each -> lines.add(indent + each));
      return;
    }
    for (Object item : list) {
      int first = lines.size();
      if (item instanceof Map<?, ?> map) {
        fields(indent + "  ", map);
      } else {
        lines.add(indent + "  " + scalar(item));
      }
      if (lines.size() > first) {
        lines.set(first, indent + "- " + lines.get(first).substring(indent.length() + 2));
      }
    }
  }

  private void heading(Place place) {
    lines.add(place.indent() + screen.paint(Ink.BOLD, place.title() + ":"));
  }

  private void line(Place place, String value) {
    String title = place.title() + ":";
    lines.add(
        place.indent()
            + screen.paint(Ink.BOLD, title)
            + " ".repeat(Math.max(0, place.width() + 1 - title.length()))
            + "  "
            + value);
  }

  private static String scalar(@Nullable Object value) {
    if (value instanceof Map<?, ?>) {
      return "-";
    }
    return value instanceof String text
        ? Since.instant(text).map(at -> text + relative(at)).orElse(Table.text(text))
        : Table.text(value);
  }

  private static String relative(Instant at) {
    return at.isAfter(Instant.now())
        ? " (in " + Since.until(at) + ")"
        : " (" + Since.age(at) + " ago)";
  }

  /** {@code createdAt} is read as "Created at". */
  static String title(String field) {
    if (!field.matches("[a-z]+([A-Z][a-z0-9]*)*")) {
      return field;
    }
    String words = field.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }
}
