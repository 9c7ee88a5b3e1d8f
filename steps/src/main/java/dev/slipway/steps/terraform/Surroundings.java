package dev.slipway.steps.terraform;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.engine.workflow.RenderedScript;
import dev.slipway.steps.process.ScriptDirectory;
import dev.slipway.steps.terraform.TerraformExecutor.Setup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/** The environment of the program, its persistent plugin cache, and its limits. */
record Surroundings(Map<String, String> environment, Path cache, ProcessLimits limits) {
  /** Variables that would move the state, or write secrets into the log. */
  private static final Pattern NOT_THEIRS =
      Pattern.compile("TF_(LOG.*|WORKSPACE|DATA_DIR|CLI_ARGS.*|HTTP_.*|PLUGIN_CACHE_.*)");

  static Surroundings of(Setup setup, ScriptDirectory directory, StepCall call) throws IOException {
    String provider = call.scope().provider().replaceAll("[^A-Za-z0-9._-]", "_");
    Path cache = Files.createDirectories(setup.data().resolve("terraform").resolve(provider));
    Map<String, String> env =
        directory.environment(new RenderedScript("", Map.of()), setup.programs());
    env.keySet().forEach(Surroundings::check);
    env.put("TF_IN_AUTOMATION", "1");
    env.put("TF_INPUT", "0");
    env.put("CHECKPOINT_DISABLE", "1");
    env.put("TF_PLUGIN_CACHE_DIR", cache.toString());
    env.put(
        "TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE", "1"); // the copy's own, removed with it
    return new Surroundings(env, cache, setup.limits().get());
  }

  private static void check(String name) {
    if (NOT_THEIRS.matcher(name).matches()) {
      throw TerraformFailure.permanent(
          "invalid-config",
          "the variable " + name + " cannot be set for this step",
          "Slipway decides where the state is and what is logged.");
    }
  }
}
