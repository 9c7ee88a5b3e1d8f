package dev.slipway.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The client's own settings. */
@Command(name = "config", description = "Shows settings.", subcommands = ConfigVerbs.View.class)
final class ConfigVerbs extends Group {

  @Command(name = "view", description = "Shows the settings of this command line.")
  static final class View extends Verb {
    @Option(names = "--show-origin", description = "And where each comes from.")
    boolean origin;

    @Override
    public Integer call() {
      List<Map<String, Object>> rows =
          settings().values().entrySet().stream()
              .map(
                  e -> {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("setting", e.getKey());
                    row.put(
                        "value",
                        e.getKey().equals(ClientSettings.TOKEN) ? "***" : e.getValue().text());
                    row.put("origin", e.getValue().origin());
                    return row;
                  })
              .toList();
      Table table = new Table().column("SETTING", "setting").column("VALUE", "value");
      show(rows, origin ? table.column("ORIGIN", "origin") : table, "setting", "");
      return ExitCode.OK.code();
    }
  }
}
