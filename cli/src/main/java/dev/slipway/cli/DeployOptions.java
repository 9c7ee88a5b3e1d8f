package dev.slipway.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What plan and deploy take alike. */
final class DeployOptions {
  @Option(
      names = {"-e", "--environment"},
      paramLabel = "NAME",
      description = "Target environment; default: the file's, else 'default'.")
  @Nullable String environment;

  @Option(names = "--team", paramLabel = "NAME", description = "Owner of a new application.")
  @Nullable String team;

  @Option(
      names = "--image",
      paramLabel = "CONTAINER=REF",
      description = "Image for a container whose image is '.'.")
  Map<String, String> images = new LinkedHashMap<>();

  @Option(
      names = "--replace",
      paramLabel = "RESOURCE",
      description = "May be deleted and made anew when it cannot be updated.")
  List<String> replace = new ArrayList<>();

  Map<String, Object> query(ClientSettings settings) {
    Map<String, Object> query =
        Api.query("environment", settings.environment().orElse(null), "team", team);
    if (!images.isEmpty()) {
      query.put(
          "image", images.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
    }
    if (!replace.isEmpty()) {
      query.put("replace", replace);
    }
    return query;
  }
}
