package dev.slipway.steps.terraform;

import dev.slipway.engine.resolve.ProgramCheck;
import dev.slipway.engine.resolve.ProgramPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The program to run: the one that the step names, else the first that is installed. */
enum Binary {
  TERRAFORM(List.of("terraform", "tofu")),
  OPENTOFU(List.of("tofu", "terraform"));

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._+-]*");

  private static final Pattern FILE = Pattern.compile("/[A-Za-z0-9._+/-]+");

  private final List<String> usual;

  Binary(List<String> usual) {
    this.usual = usual;
  }

  /** The programs a step needs, for the check when its provider is loaded. */
  Set<String> needed(Map<String, Object> config) {
    Object named = config.get("binary");
    if (named == null) {
      return Set.of(String.join("|", usual));
    }
    String text = String.valueOf(named);
    boolean known = NAME.matcher(text).matches() || FILE.matcher(text).matches();
    return known ? Set.of(text) : Set.of(); // otherwise a template, or invalid
  }

  Path find(@Nullable String named, ProgramPath path) {
    if (named != null && !NAME.matcher(named).matches() && !FILE.matcher(named).matches()) {
      throw TerraformFailure.permanent(
          "invalid-config",
          "binary '" + named + "' is neither the name of a program nor an absolute path",
          "Write terraform, tofu, or where the program is.");
    }
    List<String> names = named == null ? usual : List.of(named);
    return names.stream()
        .map(path::find)
        .flatMap(Optional::stream)
        .findFirst()
        .orElseThrow(() -> missing(names));
  }

  private static TerraformFailure missing(List<String> names) {
    return TerraformFailure.permanent(
        "missing-program",
        String.join(" or ", names) + " is not on the PATH of this server",
        ProgramCheck.install(names.getFirst()));
  }
}
