package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.Function;
import java.util.List;

/** Semantic versions and conditions on them. */
final class SemverFunctions {
  private SemverFunctions() {}

  static List<Function> all() {
    return new FunctionGroup("Semantic versions")
        .add(
            "semver",
            "(version string) *semver.Version",
            "the version with .Major .Minor .Patch .Prerelease .Metadata .Original",
            c -> version(c, c.string(0)))
        .add(
            "semverCompare",
            "(constraint string, version string) bool",
            "whether the version meets a constraint such as ^1.2 or >=1.0, <3",
            SemverFunctions::compare)
        .all();
  }

  private static Version version(Call call, String text) {
    try {
      return Version.of(text);
    } catch (IllegalArgumentException e) {
      throw call.fail(String.valueOf(e.getMessage()));
    }
  }

  private static boolean compare(Call call) {
    try {
      call.charge(call.string(0).length());
      return Constraint.of(call.string(0)).isMetBy(Version.of(call.string(1)));
    } catch (IllegalArgumentException e) {
      throw call.fail(String.valueOf(e.getMessage()));
    }
  }
}
