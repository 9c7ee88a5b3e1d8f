package dev.slipway.cli;

import java.util.Map;
import picocli.CommandLine.Command;

/** Which build this is. */
@Command(name = "version", description = "Prints the version.")
final class VersionVerb extends Verb {
  @Override
  public Integer call() {
    switch (format(Format.TABLE)) {
      case JSON, YAML -> show(Map.of("version", Version.text()), "version");
      case NAME -> out.println(Version.text());
      case TABLE, WIDE -> out.println("slipway " + Version.text());
    }
    return ExitCode.OK.code();
  }
}
