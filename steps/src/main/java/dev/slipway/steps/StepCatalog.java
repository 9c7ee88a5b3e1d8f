package dev.slipway.steps;

import dev.slipway.engine.execute.SubWorkflowExecutor;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepTypes;
import dev.slipway.steps.kubernetes.KubernetesExecutor;
import dev.slipway.steps.sql.SqlExecutor;
import dev.slipway.steps.terraform.TerraformExecutor;
import java.util.ArrayList;
import java.util.List;

/** Every step type of this version, for checks of workflows that do not run them. */
public final class StepCatalog {
  private StepCatalog() {}

  /** All built-in step types. */
  public static StepTypes types() {
    return types(List.of());
  }

  /** All built-in step types and {@code more}, such as those of branches. */
  public static StepTypes types(List<StepType> more) {
    List<StepType> all =
        new ArrayList<>(
            List.of(
                ShellExecutor.TYPE,
                HttpExecutor.TYPE,
                SqlExecutor.TYPE,
                AnsibleExecutor.TYPE,
                GitExecutor.TYPE,
                GiteaRepoExecutor.TYPE,
                KubernetesExecutor.TYPE,
                TerraformExecutor.TERRAFORM,
                TerraformExecutor.OPENTOFU,
                WaitExecutor.TYPE,
                ApprovalExecutor.TYPE,
                NoopExecutor.TYPE,
                SubWorkflowExecutor.TYPE));
    all.addAll(more);
    return new StepTypes(all);
  }
}
