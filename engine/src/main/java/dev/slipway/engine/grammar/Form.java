package dev.slipway.engine.grammar;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/**
 * A map in a file that people write.
 *
 * @param name by which other forms refer to it
 * @param about one sentence for the reference page; empty when it needs no section of its own
 */
public record Form(String name, String about, Others others, List<Field> fields, List<Rule> rules) {

  /** What becomes of a field that is not listed. */
  public enum Others {
    /** It is an error. */
    REFUSED,
    /** It is a warning. */
    WARNED,
    /** It is kept: the map belongs to its author. */
    KEPT
  }

  public Form {
    fields = List.copyOf(fields);
    rules = List.copyOf(rules);
  }

  /** A closed form. */
  public static Form of(String name, String about, Field... fields) {
    return new Form(name, about, Others.REFUSED, List.of(fields), List.of());
  }

  public Form others(Others other) {
    return new Form(name, about, other, fields, rules);
  }

  public Form with(Rule... more) {
    List<Rule> all = new ArrayList<>(rules);
    all.addAll(List.of(more));
    return new Form(name, about, others, fields, all);
  }

  /** The same fields and more under another name; a field of the same name is replaced. */
  public Form extended(String other, List<Field> more) {
    List<Field> all = new ArrayList<>(fields);
    for (Field field : more) {
      all.removeIf(each -> each.name().equals(field.name()));
      all.add(field);
    }
    return new Form(other, about, others, all, rules);
  }

  public Form without(String... names) {
    List<String> gone = List.of(names);
    List<Field> left = fields.stream().filter(f -> !gone.contains(f.name())).toList();
    return new Form(name, about, others, left, rules);
  }

  public Form named(String other) {
    return new Form(other, about, others, fields, rules);
  }

  /** The names of its fields, old ones too. */
  public SequencedSet<String> names() {
    SequencedSet<String> names = new LinkedHashSet<>();
    fields.forEach(field -> names.add(field.name()));
    return names;
  }
}
