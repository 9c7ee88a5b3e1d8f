package dev.slipway.gotemplate;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The components of a record class, which are all that templates can see of a record. */
final class RecordFields {
  private static final ClassValue<RecordFields> CACHE =
      new ClassValue<>() {
        @Override
        protected RecordFields computeValue(Class<?> type) {
          return new RecordFields(type);
        }
      };
  private static final MethodType ACCESSOR = MethodType.methodType(Object.class, Object.class);

  private final Map<String, MethodHandle> byName = new HashMap<>();
  private final Map<String, MethodHandle> inOrder = new LinkedHashMap<>();

  private RecordFields(Class<?> type) {
    for (RecordComponent component : type.getRecordComponents()) {
      MethodHandle handle = handle(component.getAccessor());
      String name = component.getName();
      byName.put(name, handle);
      byName.putIfAbsent(Character.toUpperCase(name.charAt(0)) + name.substring(1), handle);
      inOrder.put(name, handle);
    }
  }

  private static MethodHandle handle(Method accessor) {
    try {
      accessor.setAccessible(true);
      return MethodHandles.lookup().unreflect(accessor).asType(ACCESSOR);
    } catch (IllegalAccessException e) {
      throw new IllegalArgumentException("cannot read " + accessor, e);
    }
  }

  static RecordFields of(Record struct) {
    return CACHE.get(struct.getClass());
  }

  boolean has(String name) {
    return byName.containsKey(name);
  }

  List<String> names() {
    return new ArrayList<>(inOrder.keySet());
  }

  @Nullable Object read(Record struct, String name) {
    MethodHandle accessor = Objects.requireNonNull(byName.get(name), "callers ask has(name) first");
    try {
      return (Object) accessor.invokeExact((Object) struct);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
