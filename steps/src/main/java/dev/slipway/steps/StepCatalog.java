package dev.slipway.steps;

import dev.slipway.engine.execute.SubWorkflowExecutor;
import dev.slipway.engine.workflow.StepTypes;
import dev.slipway.steps.sql.SqlExecutor;
import dev.slipway.steps.terraform.TerraformExecutor;
import java.util.List;

/** Every step type of this version, for whoever checks workflows without running them. */
public final class StepCatalog {
  private StepCatalog() {}

  /** All of them. */
  public static StepTypes types() {
    return new StepTypes(
        List.of(
            ShellExecutor.TYPE,
            HttpExecutor.TYPE,
            SqlExecutor.TYPE,
            AnsibleExecutor.TYPE,
            GitExecutor.TYPE,
            GiteaRepoExecutor.TYPE,
            TerraformExecutor.TERRAFORM,
            TerraformExecutor.OPENTOFU,
            WaitExecutor.TYPE,
            ApprovalExecutor.TYPE,
            NoopExecutor.TYPE,
            SubWorkflowExecutor.TYPE));
  }
}
