package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.NilList;
import dev.slipway.gotemplate.Values;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Go's reflect.DeepEqual: equal types and equal contents. Charges a step per compared value. */
final class DeepEqual {
  private final Call call;
  private final Depth depth;

  DeepEqual(Call call) {
    this.call = call;
    this.depth = new Depth(call);
  }

  boolean test(@Nullable Object a, @Nullable Object b) {
    call.charge(1);
    if (a == null || b == null) {
      return a == b;
    }
    if (!Values.type(a).equals(Values.type(b))) {
      return false;
    }
    return switch (a) {
      case List<?> list -> depth.inside(() -> lists(list, (List<?>) b));
      case Map<?, ?> map -> depth.inside(() -> maps(map, (Map<?, ?>) b));
      case Double x -> x == ((Number) b).doubleValue();
      case Float x -> x == ((Number) b).floatValue();
      case Long x -> x == ((Number) b).longValue();
      default -> a.equals(b);
    };
  }

  private boolean lists(List<?> a, List<?> b) {
    if (NilList.is(a) != NilList.is(b) || a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!test(a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean maps(Map<?, ?> a, Map<?, ?> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (Map.Entry<?, ?> entry : a.entrySet()) {
      if (!b.containsKey(entry.getKey()) || !test(entry.getValue(), b.get(entry.getKey()))) {
        return false;
      }
    }
    return true;
  }
}
