package dev.slipway.steps.job;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.workflow.RenderedScript;
import dev.slipway.steps.process.Program;
import dev.slipway.steps.process.StepEnvironment;
import java.util.LinkedHashMap;
import java.util.Map;

/** The variables that a step's program has in a pod, beside those of its image. */
public final class JobEnvironment {
  private JobEnvironment() {}

  /** Those of every step, and the step's own. */
  public static Map<String, String> of(StepCall call, RenderedScript script, String resultFile) {
    Map<String, String> env = new LinkedHashMap<>();
    env.put("HOME", JobProgram.WORK);
    env.put("TMPDIR", JobProgram.WORK + "/tmp");
    env.put("LANG", "C.UTF-8");
    env.put(Program.MARK, call.key());
    StepEnvironment.context(call, env);
    if (call.scope().providerDirectory() != null) {
      env.put("SLIPWAY_PROVIDER_DIR", JobProgram.PROVIDER);
    }
    env.put("SLIPWAY_OUTPUT", JobProgram.WORK + "/" + resultFile);
    StepEnvironment.own(call, script, env);
    return env;
  }
}
