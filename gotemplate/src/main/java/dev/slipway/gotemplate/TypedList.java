package dev.slipway.gotemplate;

import java.util.AbstractList;
import java.util.List;

/**
 * A read-only list whose elements have one Go type, for example {@code []string}; a plain {@link
 * List} is {@code []interface {}}.
 */
public final class TypedList extends AbstractList<Object> {
  private final GoType type;
  private final List<?> elements;

  private TypedList(GoType type, List<?> elements) {
    this.type = type;
    this.elements = elements;
  }

  /** The list of Go type {@code []element} with these elements, which are not copied. */
  public static TypedList of(GoType element, List<?> elements) {
    return new TypedList(GoType.listOf(element), elements);
  }

  /** A {@code []string}. */
  public static TypedList ofStrings(List<String> elements) {
    return of(GoType.STRING, elements);
  }

  /** The type of the list, not of its elements. */
  public GoType type() {
    return type;
  }

  @Override
  public Object get(int index) {
    return elements.get(index);
  }

  @Override
  public int size() {
    return elements.size();
  }
}
