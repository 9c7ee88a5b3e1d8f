package dev.slipway.gotemplate;

import dev.slipway.gotemplate.Expression.Chain;
import dev.slipway.gotemplate.Settings.MissingKey;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads field chains: keys of maps, components of records, members of objects. */
final class Fields {
  static final Object NOTHING_PIPED = new Object();

  /** What a map gives for a key that it does not have, as opposed to a nil that it has. */
  private static final Object ABSENT = new Object();

  private Fields() {}

  static @Nullable Object read(
      Execution x,
      Chain chain,
      @Nullable Object receiver,
      @Nullable Object dot,
      @Nullable Object piped) {
    Object value = receiver == null ? ABSENT : receiver;
    String[] names = chain.names();
    for (int i = 0; i < names.length; i++) {
      if (value == ABSENT) {
        if (x.settings().missingKey() == MissingKey.ERROR) {
          throw x.fail(chain.place(), "nil data; no entry for key " + Quoted.quote(names[i]));
        }
        return null;
      }
      if (value == null || value == Expression.NIL_ELEMENT) {
        throw x.fail(chain.place(), "nil pointer evaluating interface {}." + names[i]);
      }
      boolean last = i == names.length - 1;
      boolean hasArguments = last && (chain.arguments().length > 0 || piped != NOTHING_PIPED);
      value =
          value instanceof GoObject object
              ? member(
                  x,
                  chain,
                  object,
                  names[i],
                  hasArguments ? dot : null,
                  last ? piped : NOTHING_PIPED,
                  last)
              : field(x, chain, value, names[i], hasArguments);
    }
    return value == ABSENT ? null : Values.of(value);
  }

  private static @Nullable Object field(
      Execution x, Chain chain, Object receiver, String name, boolean hasArguments) {
    if (receiver instanceof Map<?, ?> map) {
      if (hasArguments) {
        throw x.fail(chain.place(), name + " is not a method but has arguments");
      }
      Object value = map.get(name);
      return value != null || map.containsKey(name) ? value : missing(x, chain, map, name);
    }
    if (receiver instanceof Record struct && Values.kind(struct) == Kind.STRUCT) {
      RecordFields fields = RecordFields.of(struct);
      if (!fields.has(name)) {
        throw unknown(x, chain, receiver, name, fields.names());
      }
      if (hasArguments) {
        throw x.fail(chain.place(), name + " has arguments but cannot be invoked as function");
      }
      return fields.read(struct, name);
    }
    throw unknown(x, chain, receiver, name, List.of());
  }

  private static @Nullable Object missing(Execution x, Chain chain, Map<?, ?> map, String name) {
    return switch (x.settings().missingKey()) {
      case DEFAULT -> ABSENT;
      case ZERO -> Values.zero(Values.type(map).element());
      case ERROR ->
          throw x.fail(
              chain.place(),
              "map has no entry for key " + Quoted.quote(name),
              Suggestion.of(name, Values.sortedKeys(map)));
    };
  }

  private static Object member(
      Execution x,
      Chain chain,
      GoObject object,
      String name,
      @Nullable Object dot,
      @Nullable Object piped,
      boolean last) {
    GoObject.Member member = object.members().get(name);
    if (member == null) {
      throw unknown(x, chain, object, name, object.members().keySet());
    }
    Expression[] given = last ? chain.arguments() : new Expression[0];
    int count = given.length + (piped == NOTHING_PIPED ? 0 : 1);
    if (member.role() == GoObject.Role.FIELD && count > 0) {
      throw x.fail(chain.place(), name + " has arguments but cannot be invoked as function");
    }
    List<GoType> types = member.parameters();
    if (count != types.size()) {
      throw x.fail(
          chain.place(),
          "wrong number of args for " + name + ": want " + types.size() + " got " + count);
    }
    @Nullable Object[] values = new @Nullable Object[count];
    for (int i = 0; i < given.length; i++) {
      values[i] = Arguments.prepared(given[i], types.get(i)).eval(x, dot);
    }
    if (piped != NOTHING_PIPED) {
      values[count - 1] = Arguments.conform(x, chain.place(), piped, types.get(count - 1));
    }
    return member.body().apply(object, new Call(x, chain.place(), name, values));
  }

  private static TemplateException unknown(
      Execution x, Chain chain, Object receiver, String name, Collection<String> known) {
    return x.fail(
        chain.place(),
        "can't evaluate field " + name + " in type " + Values.type(receiver),
        Suggestion.of(name, known));
  }
}
