package dev.slipway.engine.observe;

/**
 * Names of nodes. Outside of the environment {@code default} all but providers and runs end in the
 * environment's name.
 */
public record NodeIds(String environment) {

  /** Of an application. */
  public String application(String name) {
    return "application:" + name + suffix();
  }

  /** Of its spec. */
  public String spec(String name) {
    return "spec:" + name + suffix();
  }

  /** Of a resource: by its place in a spec, or by its identity when it has one of its own. */
  public String resource(String application, String name, String identity) {
    boolean own = identity.endsWith("#" + application + "." + name);
    return own
        ? "resource:" + application + ":" + name + suffix()
        : "resource:" + identity + suffix();
  }

  /** Of a provider. */
  public static String provider(String name) {
    return "provider:" + name;
  }

  /** Of a run. */
  public static String workflow(String run) {
    return "workflow:" + run;
  }

  private String suffix() {
    return environment.equals("default") ? "" : "@" + environment;
  }
}
