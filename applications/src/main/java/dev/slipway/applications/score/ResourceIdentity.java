package dev.slipway.applications.score;

/**
 * What makes a resource the same resource inside one environment: {@code type.class#id}, or {@code
 * type.class#workload.resource} for one without an id. The type counts as written; aliases are not
 * folded.
 */
public record ResourceIdentity(String type, String resourceClass, String id) {
  public static final String DEFAULT_CLASS = "default";

  public static ResourceIdentity shared(String type, String resourceClass, String id) {
    return new ResourceIdentity(type, resourceClass, id);
  }

  public static ResourceIdentity owned(
      String type, String resourceClass, String workload, String resource) {
    return new ResourceIdentity(type, resourceClass, workload + "." + resource);
  }

  /** Reads back what {@link #toString} wrote. */
  public static ResourceIdentity parse(String text) {
    int hash = text.indexOf('#');
    int dot = text.lastIndexOf('.', hash);
    if (hash < 0 || dot < 1) {
      throw new IllegalArgumentException("not a resource identity: " + text);
    }
    return new ResourceIdentity(
        text.substring(0, dot), text.substring(dot + 1, hash), text.substring(hash + 1));
  }

  @Override
  public String toString() {
    return type + "." + resourceClass + "#" + id;
  }
}
