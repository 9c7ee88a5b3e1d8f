package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Dict;
import dev.slipway.gotemplate.Function;
import dev.slipway.gotemplate.TypedList;
import dev.slipway.gotemplate.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Functions on dicts. As in sprig, set, unset and the merges change the dict that they are given
 * and answer it; a template that calls one of them works on a copy of the caller's data.
 */
final class DictFunctions {
  private DictFunctions() {}

  static List<Function> all() {
    List<Function> all = new ArrayList<>();
    all.addAll(reading());
    all.addAll(changing());
    return all;
  }

  private static List<Function> reading() {
    return new FunctionGroup("Dicts")
        .add(
            "dict",
            "(v ...any) map[string]any",
            "a dict of keys and values in turn",
            DictFunctions::dict)
        .add(
            "get",
            "(d map[string]any, key string) any",
            "the value of the key, or an empty text",
            c -> c.map(0).containsKey(c.string(1)) ? c.map(0).get(c.string(1)) : "")
        .add(
            "hasKey",
            "(d map[string]any, key string) bool",
            "whether the dict has the key",
            c -> c.map(0).containsKey(c.string(1)))
        .add(
            "dig",
            "(v ...any) any",
            "the value under several keys, or the default before the dict",
            DictFunctions::dig)
        .add("keys", "(d ...map[string]any) []string", "the keys in order", DictFunctions::keys)
        .add(
            "values",
            "(d map[string]any) []any",
            "the values in the order of their keys",
            DictFunctions::values)
        .add(
            "pluck",
            "(key string, d ...map[string]any) []any",
            "the values of one key in several dicts",
            DictFunctions::pluck)
        .add(
            "pick",
            "(d map[string]any, keys ...string) map[string]any",
            "only these keys",
            DictFunctions::pick)
        .add(
            "omit",
            "(d map[string]any, keys ...string) map[string]any",
            "all but these keys",
            DictFunctions::omit)
        .add(
            "deepCopy",
            "(v any) any",
            "a copy with copies of everything inside",
            c -> new DeepCopy(c).of(present(c)))
        .also("mustDeepCopy")
        .all();
  }

  private static List<Function> changing() {
    return new FunctionGroup("Dicts")
        .changing(
            "set",
            "(d map[string]any, key string, v any) map[string]any",
            "sets the key in the dict and answers the dict",
            DictFunctions::set)
        .changing(
            "unset",
            "(d map[string]any, key string) map[string]any",
            "removes the key from the dict and answers the dict",
            DictFunctions::unset)
        .changing(
            "merge",
            "(d map[string]any, from ...map[string]any) any",
            "adds what the dict lacks and answers the dict",
            c -> new Merging(c, Merging.Rule.KEEP).of())
        .also("mustMerge")
        .changing(
            "mergeOverwrite",
            "(d map[string]any, from ...map[string]any) any",
            "adds and replaces what the others have and answers the dict",
            c -> new Merging(c, Merging.Rule.OVERWRITE).of())
        .also("mustMergeOverwrite")
        .all();
  }

  private static Object present(Call call) {
    if (call.any(0) == null) {
      throw call.fail("there is nothing to copy: the value is nil");
    }
    return call.any(0);
  }

  private static Map<String, Object> dict(Call call) {
    call.charge(call.size());
    Map<String, Object> dict = new Dict();
    for (int i = 0; i < call.size(); i += 2) {
      dict.put(call.print(call.any(i)), i + 1 < call.size() ? call.any(i + 1) : "");
    }
    return dict;
  }

  private static @Nullable Object dig(Call call) {
    int last = call.size() - 1;
    if (last < 2) {
      throw call.fail("dig needs at least three arguments");
    }
    Object value = call.any(last);
    for (int i = 0; i < last - 1; i++) {
      if (!(value instanceof Map<?, ?> map)) {
        throw call.fail("cannot dig into " + type(value) + ": it is not map[string]interface {}");
      }
      if (!(call.any(i) instanceof String key)) {
        throw call.fail("a key is " + type(call.any(i)) + ", not string");
      }
      if (!map.containsKey(key)) {
        return call.any(last - 1);
      }
      value = map.get(key);
    }
    return value;
  }

  private static String type(@Nullable Object value) {
    return Values.type(value).name();
  }

  private static TypedList keys(Call call) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < call.size(); i++) {
      call.charge(call.map(i).size());
      keys.addAll(Values.sortedKeys(call.map(i)));
    }
    return TypedList.ofStrings(keys);
  }

  private static List<Object> values(Call call) {
    Map<String, Object> dict = call.map(0);
    call.charge(dict.size());
    List<Object> values = new ArrayList<>();
    Values.sortedKeys(dict).forEach(key -> values.add(dict.get(key)));
    return values;
  }

  private static List<Object> pluck(Call call) {
    List<Object> values = new ArrayList<>();
    for (int i = 1; i < call.size(); i++) {
      if (call.map(i).containsKey(call.string(0))) {
        values.add(call.map(i).get(call.string(0)));
      }
    }
    return values;
  }

  private static Map<String, Object> pick(Call call) {
    Map<String, Object> picked = new Dict();
    for (int i = 1; i < call.size(); i++) {
      if (call.map(0).containsKey(call.string(i))) {
        picked.put(call.string(i), call.map(0).get(call.string(i)));
      }
    }
    return picked;
  }

  private static Map<String, Object> omit(Call call) {
    call.charge(call.map(0).size());
    Map<String, Object> rest = new Dict(call.map(0));
    rest.keySet().removeAll(new ArrayList<>(call.rest(1)));
    return rest;
  }

  private static @Nullable Object set(Call call) {
    changeable(call).put(call.string(1), call.any(2));
    return call.any(0);
  }

  private static Object unset(Call call) {
    if (call.any(0) == null) {
      return new Dict();
    }
    changeable(call).remove(call.string(1));
    return call.any(0);
  }

  static Map<String, Object> changeable(Call call) {
    if (call.any(0) == null) {
      throw call.fail("assignment to entry in nil map");
    }
    if (!(call.any(0) instanceof Dict dict)) {
      throw call.fail("this dict is not the template's own and cannot be changed; use deepCopy");
    }
    return dict;
  }
}
