package dev.slipway.steps.terraform;

import dev.slipway.engine.execute.StepCall;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Keys of module states. Each part is checked, so that no name reaches the state of another
 * provider, environment or resource.
 */
final class StateKey {
  private static final Pattern PART = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*");
  private static final int LONGEST = 200;

  private StateKey() {}

  static String named(StepCall.Scope scope, String workspace) {
    part("provider", scope.provider());
    part("environment", scope.environment());
    return "named/" + scope.provider() + "/" + scope.environment() + "/" + parts(workspace);
  }

  /** {@code module} is a path below the provider's directory; the caller has checked it. */
  static String ofResource(UUID resource, String module) {
    return "resource/" + resource + "/" + module;
  }

  /** One part, or several separated by slashes. */
  private static String parts(String name) {
    for (String part : name.split("/", -1)) {
      part("workspace", part);
    }
    return name;
  }

  private static void part(String what, String name) {
    if (name.length() > LONGEST || !PART.matcher(name).matches()) {
      throw TerraformFailure.permanent(
          "invalid-name",
          what + " '" + shown(name) + "' cannot be part of the name of a state",
          "Letters, digits, '.', '_' and '-' are possible, and '/' between them; a part begins with"
              + " a letter, a digit or '_' and has at most "
              + LONGEST
              + " characters.");
    }
  }

  private static String shown(String name) {
    String printable = name.replaceAll("[^\\x20-\\x7e]", "?");
    return printable.length() > 60 ? printable.substring(0, 60) + "..." : printable;
  }
}
