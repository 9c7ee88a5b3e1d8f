package dev.slipway.gotemplate;

import dev.slipway.gotemplate.Source.Place;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The statements of a template: text, actions and control structures. */
sealed interface Statement {
  /** Runs with a value of dot and says how to go on. */
  Flow run(Execution x, @Nullable Object dot);

  /** How to go on after a statement. */
  enum Flow {
    NEXT,
    BREAK,
    CONTINUE
  }

  /** Statements in order. */
  record Block(Statement[] statements) implements Statement {
    static final Block EMPTY = new Block(new Statement[0]);

    @Override
    public Flow run(Execution x, @Nullable Object dot) {
      for (Statement statement : statements) {
        Flow flow = statement.run(x, dot);
        if (flow != Flow.NEXT) {
          return flow;
        }
      }
      return Flow.NEXT;
    }
  }

  /** Literal text. */
  record Literal(String text) implements Statement {
    @Override
    public Flow run(Execution x, @Nullable Object dot) {
      x.charge(1);
      x.text(text);
      return Flow.NEXT;
    }
  }

  /** An action whose value is written. */
  record Emission(Place place, Expression expression) implements Statement {
    @Override
    public Flow run(Execution x, @Nullable Object dot) {
      x.place = place;
      x.charge(1);
      x.emit(expression.eval(x, dot), place);
      return Flow.NEXT;
    }
  }

  /** An action that declares or assigns variables and writes nothing. */
  record Assignment(Place place, Expression expression) implements Statement {
    @Override
    public Flow run(Execution x, @Nullable Object dot) {
      x.place = place;
      x.charge(1);
      expression.eval(x, dot);
      return Flow.NEXT;
    }
  }

  /** {@code {{if}}}. */
  record If(Place place, Expression condition, Block then, Block otherwise) implements Statement {
    @Override
    public Flow run(Execution x, @Nullable Object dot) {
      x.place = place;
      x.charge(1);
      return (Values.truth(condition.eval(x, dot)) ? then : otherwise).run(x, dot);
    }
  }

  /** {@code {{with}}}: like if, but the value becomes dot. */
  record With(Place place, Expression value, Block then, Block otherwise) implements Statement {
    @Override
    public Flow run(Execution x, @Nullable Object dot) {
      x.place = place;
      x.charge(1);
      Object found = value.eval(x, dot);
      return Values.truth(found) ? then.run(x, found) : otherwise.run(x, dot);
    }
  }

  /** {@code {{break}}} and {@code {{continue}}}. */
  record Jump(Flow flow) implements Statement {
    @Override
    public Flow run(Execution x, @Nullable Object dot) {
      x.charge(1);
      return flow;
    }
  }

  /** {@code {{template "name" value}}}; without a value dot is nil. */
  record TemplateCall(Place place, String name, @Nullable Expression data) implements Statement {
    @Override
    public Flow run(Execution x, @Nullable Object dot) {
      x.place = place;
      x.charge(1);
      Execution.Definition definition = x.definition(name).orElseThrow(() -> undefined(x));
      x.run(definition, data == null ? null : data.eval(x, dot));
      return Flow.NEXT;
    }

    private TemplateException undefined(Execution x) {
      return x.fail(
          place,
          "template " + Quoted.quote(name) + " not defined",
          Suggestion.of(name, x.definitionNames()));
    }
  }

  /**
   * {@code {{range}}} over a list, a map in key order, or the integers below a number.
   *
   * @param indexSlot variable for the index or key; negative if there is none
   * @param elementSlot variable for the element; negative if there is none
   */
  record Range(
      Place place, Expression over, int indexSlot, int elementSlot, Block body, Block otherwise)
      implements Statement {
    @Override
    public Flow run(Execution x, @Nullable Object dot) {
      x.place = place;
      x.charge(1);
      Object value = over.eval(x, dot);
      boolean any =
          switch (value) {
            case null -> false;
            case List<?> list -> overList(x, list);
            case Map<?, ?> map -> overMap(x, map);
            case Long count -> overIntegers(x, Kind.INT, count);
            case GoInteger count -> overIntegers(x, count.kind(), count.value());
            case GoObject object when object.underlying() instanceof GoInteger count ->
                overIntegers(x, count.kind(), count.value());
            default -> throw x.fail(over.lastPlace(), "range can't iterate over " + x.print(value));
          };
      return any ? Flow.NEXT : without(x, dot);
    }

    /** As in Go, a break in the else part ends this range, and a continue the one around it. */
    private Flow without(Execution x, @Nullable Object dot) {
      Flow flow = otherwise.run(x, dot);
      return flow == Flow.BREAK ? Flow.NEXT : flow;
    }

    private boolean overList(Execution x, List<?> list) {
      long index = 0;
      for (Object element : list) {
        if (turn(x, index++, Values.of(element)) == Flow.BREAK) {
          break;
        }
      }
      return index > 0;
    }

    private boolean overMap(Execution x, Map<?, ?> map) {
      List<String> keys = Values.sortedKeys(map);
      x.charge(keys.size() >> 2);
      for (String key : keys) {
        if (turn(x, key, Values.of(map.get(key))) == Flow.BREAK) {
          break;
        }
      }
      return !keys.isEmpty();
    }

    private boolean overIntegers(Execution x, Kind kind, long count) {
      if (indexSlot >= 0) {
        throw x.fail(
            over.lastPlace(), "can't use " + count + " to iterate over more than one variable");
      }
      for (long i = 0; i < count; i++) {
        Object element = kind == Kind.INT ? (Object) i : new GoInteger(kind, i);
        if (turn(x, null, element) == Flow.BREAK) {
          break;
        }
      }
      return count > 0;
    }

    private Flow turn(Execution x, @Nullable Object index, @Nullable Object element) {
      x.turn();
      Object present = element == null ? Expression.NIL_ELEMENT : element;
      if (elementSlot >= 0) {
        x.variables[elementSlot] = present;
      }
      if (indexSlot >= 0) {
        x.variables[indexSlot] = index;
      }
      return body.run(x, present);
    }
  }
}
