package dev.slipway.cli;

import dev.slipway.engine.intake.Label;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes the directory of a new provider. */
@Command(
    name = "init",
    description = "Makes a provider that works and is tested, to be changed into your own.")
final class ProviderInitVerb extends Verb {
  @Parameters(paramLabel = "NAME", description = "What it is called, such as cache-team.")
  String name;

  @Option(
      names = "--type",
      paramLabel = "TYPE",
      description = "The resource type that it offers (its name).")
  @Nullable String type;

  @Option(names = "--dir", paramLabel = "DIR", description = "Where to put it (./NAME).")
  @Nullable Path directory;

  @Override
  public Integer call() {
    check("name of a provider", name);
    String offered = type == null ? name : type;
    check("resource type", offered);
    Path where = directory == null ? Path.of(name) : directory;
    new Skeleton(name, offered).write(where);
    Skeleton.FILES.forEach(file -> out.println(where.resolve(file)));
    err.println("Provider '" + name + "' offers the resource type '" + offered + "'. Next:");
    for (String verb : new String[] {"validate", "test", "show"}) {
      err.println("  " + Hints.command() + " provider " + verb + " " + where);
    }
    return ExitCode.OK.code();
  }

  private static void check(String what, String text) {
    if (Label.matches(text)) {
      return;
    }
    String better =
        text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
    throw new Failure(
        ExitCode.USAGE,
        "'" + text + "' cannot be the " + what + ": it is not " + Label.WORDS,
        Label.matches(better) ? "Did you mean '" + better + "'?" : "");
  }
}
