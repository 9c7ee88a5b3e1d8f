package dev.slipway.cli;

import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/** Values as YAML for people. */
final class Yaml {
  private Yaml() {}

  static String write(Object value) {
    DumpSettings settings =
        DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setIndent(2)
            .setWidth(160)
            .setDereferenceAliases(true)
            .build();
    return new Dump(settings).dumpToString(value);
  }
}
