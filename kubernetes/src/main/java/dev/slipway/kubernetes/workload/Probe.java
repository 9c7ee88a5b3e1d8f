package dev.slipway.kubernetes.workload;

import dev.slipway.kubernetes.apply.RefusedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A probe of a container; a command goes before an HTTP request. */
final class Probe {
  private Probe() {}

  static Map<String, Object> of(Part probe) throws RefusedException {
    if (probe.has("exec")) {
      return Map.of("exec", Map.of("command", probe.part("exec").texts("command")));
    }
    return probe.has("httpGet") ? Map.of("httpGet", request(probe.part("httpGet"))) : Map.of();
  }

  private static Map<String, Object> request(Part http) throws RefusedException {
    if (http.has("host")) {
      // The kubelet would send it from the node, to whatever the host is.
      throw http.wrong(
          "host", "cannot be probed: a probe goes to the pod itself. Name it in a header Host");
    }
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("path", http.required("path"));
    request.put("port", http.port("port").orElseThrow(() -> http.wrong("port", "is missing")));
    http.text("scheme").ifPresent(scheme -> request.put("scheme", scheme));
    List<Object> headers = new ArrayList<>();
    for (Part header : http.items("httpHeaders")) {
      headers.add(Map.of("name", header.required("name"), "value", header.required("value")));
    }
    if (!headers.isEmpty()) {
      request.put("httpHeaders", headers);
    }
    return request;
  }
}
