package dev.slipway.kubernetes.workload;

import dev.slipway.kubernetes.apply.RefusedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** One container of a workload as a container of a pod. */
record ContainerFields(String name, Part written, PodContent content, Secrecy secrecy) {
  private static final Pattern CLAIM = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");

  Map<String, Object> fields() throws RefusedException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("image", image());
    put(fields, "command", arguments("command"));
    put(fields, "args", arguments("args"));
    put(fields, "env", variables());
    List<Object> mounts = files();
    mounts.addAll(volumes());
    put(fields, "volumeMounts", mounts);
    Map<String, Object> compute = new LinkedHashMap<>();
    put(compute, "limits", amounts("limits"));
    put(compute, "requests", amounts("requests"));
    put(fields, "resources", compute);
    put(fields, "livenessProbe", Probe.of(written.part("livenessProbe")));
    put(fields, "readinessProbe", Probe.of(written.part("readinessProbe")));
    fields.put("securityContext", Map.of("allowPrivilegeEscalation", false));
    return fields;
  }

  private static void put(Map<String, Object> fields, String key, Object value) {
    boolean empty =
        value instanceof List<?> list && list.isEmpty()
            || value instanceof Map<?, ?> map && map.isEmpty();
    if (!empty) {
      fields.put(key, value);
    }
  }

  private String image() throws RefusedException {
    String image = written.required("image");
    if (image.equals(".")) {
      throw written.wrong("image", "is '.', and the request that deployed it named no image");
    }
    return image;
  }

  /** The kubelet replaces {@code $(NAME)}; here a dollar is a dollar. */
  private static String literal(String text) {
    return text.replace("$", "$$");
  }

  private List<Object> arguments(String key) throws RefusedException {
    List<Object> arguments = new ArrayList<>();
    written.texts(key).forEach(text -> arguments.add(literal(text)));
    return arguments;
  }

  private List<Object> variables() throws RefusedException {
    List<Object> variables = new ArrayList<>();
    written
        .named("variables")
        .forEach(
            (variable, value) ->
                variables.add(
                    secrecy.variable(variable, value)
                        ? Map.of(
                            "name",
                            variable,
                            "valueFrom",
                            content.secretVariable(name, variable, value))
                        : Map.of("name", variable, "value", literal(value))));
    return variables;
  }

  private List<Object> files() throws RefusedException {
    List<Object> mounts = new ArrayList<>();
    for (var file : written.parts("files").entrySet()) {
      mounts.add(content.file(name, FileContent.read(file.getKey(), file.getValue(), secrecy)));
    }
    return mounts;
  }

  private List<Object> volumes() throws RefusedException {
    List<Object> mounts = new ArrayList<>();
    for (var volume : written.parts("volumes").entrySet()) {
      Part part = volume.getValue();
      String source = part.required("source");
      if (!CLAIM.matcher(source).matches()) {
        throw part.wrong("source", "names no claim of the cluster: '" + shortened(source) + "'");
      }
      Map<String, Object> mount = new LinkedHashMap<>();
      mount.put("name", content.claim(source));
      mount.put("mountPath", volume.getKey());
      part.text("path").ifPresent(path -> mount.put("subPath", path));
      if (part.flag("readOnly")) {
        mount.put("readOnly", true);
      }
      mounts.add(mount);
    }
    return mounts;
  }

  private static String shortened(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }

  /** Score writes kilobytes as K, Kubernetes as k. */
  private Map<String, Object> amounts(String key) throws RefusedException {
    Map<String, Object> amounts = new LinkedHashMap<>();
    Part part = written.part("resources").part(key);
    part.text("cpu").ifPresent(cpu -> amounts.put("cpu", cpu));
    part.text("memory").ifPresent(memory -> amounts.put("memory", memory.replaceFirst("K$", "k")));
    return amounts;
  }
}
