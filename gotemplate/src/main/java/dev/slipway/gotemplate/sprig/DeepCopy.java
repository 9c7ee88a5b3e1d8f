package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Dict;
import dev.slipway.gotemplate.NilList;
import dev.slipway.gotemplate.TypedList;
import dev.slipway.gotemplate.TypedMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Copies a value with everything inside; charges a step per value. */
final class DeepCopy {
  private final Call call;
  private final Depth depth;

  DeepCopy(Call call) {
    this.call = call;
    this.depth = new Depth(call);
  }

  @Nullable Object of(@Nullable Object value) {
    call.charge(1);
    return switch (value) {
      case TypedList list -> TypedList.of(list.type().element(), elements(list));
      case TypedMap map -> TypedMap.of(map.type().element(), entries(map));
      case List<?> list -> NilList.is(list) ? list : elements(list);
      case Map<?, ?> map -> entries(map);
      case null, default -> value;
    };
  }

  private List<Object> elements(List<?> list) {
    return depth.inside(
        () -> {
          List<Object> copy = new ArrayList<>(list.size());
          list.forEach(element -> copy.add(of(element)));
          return copy;
        });
  }

  private Map<String, Object> entries(Map<?, ?> map) {
    return depth.inside(
        () -> {
          Map<String, Object> copy = new Dict();
          map.forEach((key, value) -> copy.put((String) key, of(value)));
          return copy;
        });
  }
}
