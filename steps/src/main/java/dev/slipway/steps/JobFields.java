package dev.slipway.steps;

import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Grant;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import dev.slipway.steps.job.StepJobs;

/** The fields of step types whose programs can run as Jobs. */
final class JobFields {
  static final Field EXECUTOR =
      new Field(
              "executor",
              Kind.TEXT,
              Need.OPTIONAL,
              "where it runs: `local`, on the server, or as a Job of a cluster; local")
          .oneOf("local", StepJobs.EXECUTOR);

  static final Field CLUSTER =
      new Field(
              "cluster",
              Kind.TEXT,
              Need.OPTIONAL,
              "with `kubernetes-job`: name of a configured cluster that the provider is granted;"
                  + " without it the only one that it is granted")
          .granted(Grant.CLUSTERS);

  private JobFields() {}

  /** What a step that asks for a Job gets from a server that knows no clusters. */
  static Result without() {
    return Result.failed(
        "cluster-required", "this server has no clusters", "Add one to its configuration.");
  }
}
