package dev.slipway.server.api;

import dev.slipway.engine.resolve.GoldenPath;
import dev.slipway.engine.resolve.ProviderSheet;
import dev.slipway.engine.workflow.Parameter;
import java.util.LinkedHashMap;
import java.util.Map;

/** A golden path with its parameters, as the API returns it. */
final class GoldenPathSheet {
  private GoldenPathSheet() {}

  static Map<String, Object> of(GoldenPath path) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", path.name());
    out.put("provider", path.definition().provider());
    out.put("description", path.description());
    out.put("category", path.category());
    out.put("tags", path.tags());
    out.put("estimatedDuration", path.estimatedDuration());
    out.put("allowedTeams", path.allowedTeams());
    out.put("parameters", path.parameters().stream().map(p -> parameter(path, p)).toList());
    out.put("steps", path.definition().workflow().steps().stream().map(s -> s.name()).toList());
    return out;
  }

  /** The entry of the path overrides what its workflow declares. */
  private static Map<String, Object> parameter(GoldenPath path, Parameter parameter) {
    Map<String, Object> out = ProviderSheet.parameter(parameter);
    Object preset = path.defaults().get(parameter.name());
    boolean secret = Boolean.TRUE.equals(out.get("secret"));
    if (preset != null && !secret) {
      out.put("default", preset);
    }
    if (preset != null) {
      out.put("required", false);
    } else if (path.required().contains(parameter.name())) {
      out.put("required", true);
    }
    return out;
  }
}
