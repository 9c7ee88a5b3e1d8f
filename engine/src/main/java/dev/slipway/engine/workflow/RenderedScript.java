package dev.slipway.engine.workflow;

import java.util.Map;

/** Shell text in which every value is a reference to one of the environment variables. */
public record RenderedScript(String text, Map<String, String> env) {

  /** For people: each value where the script refers to it. Never to be executed. */
  public String readable() {
    String readable = text;
    for (Map.Entry<String, String> each : env.entrySet()) {
      readable = readable.replace("${" + each.getKey() + "}", each.getValue());
    }
    return readable;
  }
}
