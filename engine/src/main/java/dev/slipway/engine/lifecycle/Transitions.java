package dev.slipway.engine.lifecycle;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** One lifecycle as a table: from, to, by whom, when. */
public final class Transitions<S extends Enum<S> & State> {
  /** A row of the table. */
  public record Row<S>(S from, S to, Set<Actor> by, String when) {}

  private final List<Row<S>> rows;

  private Transitions(List<Row<S>> rows) {
    this.rows = List.copyOf(rows);
  }

  /** The rows, in table order. */
  public List<Row<S>> rows() {
    return rows;
  }

  /** Whether the table has this transition, for any actor. */
  public boolean allows(S from, S to) {
    return rows.stream().anyMatch(r -> r.from() == from && r.to() == to);
  }

  /** Whether the table has this transition for this actor. */
  public boolean allows(S from, S to, Actor by) {
    return rows.stream().anyMatch(r -> r.from() == from && r.to() == to && r.by().contains(by));
  }

  /** Refuses a transition that the table does not have. */
  public void check(String what, S from, S to) {
    if (!allows(from, to)) {
      throw new InvalidTransitionException(what, from, to);
    }
  }

  /** Starts a table. */
  public static <S extends Enum<S> & State> Table<S> table() {
    return new Table<>();
  }

  /** Collects rows. */
  public static final class Table<S extends Enum<S> & State> {
    private final List<Row<S>> rows = new ArrayList<>();

    /** One row for each of the states to come from. */
    public Table<S> row(Set<S> from, S to, Set<Actor> by, String when) {
      from.stream().sorted().forEach(f -> rows.add(new Row<>(f, to, EnumSet.copyOf(by), when)));
      return this;
    }

    /** One row. */
    public Table<S> row(S from, S to, Actor by, String when) {
      return row(EnumSet.of(from), to, EnumSet.of(by), when);
    }

    /** The finished table. */
    public Transitions<S> build() {
      return new Transitions<>(rows);
    }
  }
}
