package dev.slipway.engine.grammar;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * Everything that one kind of file may hold.
 *
 * @param name of its schema: {@code schemas/NAME.json}
 * @param title what the file is called
 * @param shapes shapes that forms refer to by name
 */
public record Grammar(
    String name,
    String title,
    Shape root,
    Spellings spellings,
    List<Form> forms,
    SequencedMap<String, Shape> shapes) {

  /** How fields may be spelled. */
  public enum Spellings {
    /** {@code outputFile} and {@code output_file} alike. */
    CAMEL_AND_SNAKE,
    EXACT
  }

  public Grammar {
    forms = List.copyOf(forms);
  }

  /** The form of that name. */
  public Form form(String wanted) {
    return forms.stream().filter(form -> form.name().equals(wanted)).findFirst().orElseThrow();
  }

  /** By name. */
  public SequencedMap<String, Form> byName() {
    SequencedMap<String, Form> all = new LinkedHashMap<>();
    for (Form form : forms) {
      if (all.put(form.name(), form) != null) {
        throw new IllegalArgumentException("two forms are named " + form.name());
      }
    }
    return all;
  }

  /** The same field with underscores; itself when it has one word. */
  static String snake(String name) {
    return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(java.util.Locale.ROOT);
  }

  /** How the field may be written. */
  List<String> spellings(String field) {
    String other = snake(field);
    return spellings == Spellings.EXACT || other.equals(field)
        ? List.of(field)
        : List.of(field, other);
  }
}
