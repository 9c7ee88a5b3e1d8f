package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Function;
import java.util.List;

/** YAML. Not part of sprig, but expected wherever manifests are rendered. */
final class YamlFunctions {
  private YamlFunctions() {}

  static List<Function> all() {
    return new FunctionGroup("JSON and YAML")
        .add(
            "toYaml",
            "(v any) string",
            "as YAML, without a line break at the end",
            c -> YamlWriter.write(c, c.any(0)))
        .all();
  }
}
