package dev.slipway.steps.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.workflow.RenderedScript;
import dev.slipway.steps.Lines;
import dev.slipway.testbed.TestControlPlane;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A script as a Job on a real control plane, whose pod runs as a process. */
@Timeout(180)
class ShellJobTest {
  @TempDir Path data;
  private JobSteps steps;

  @BeforeEach
  void start() {
    steps = new JobSteps(data);
  }

  @AfterEach
  void stop() {
    steps.close();
  }

  @Test
  void a_script_has_the_result_and_the_log_that_it_has_on_the_server() throws Exception {
    List<StepCall> table =
        List.of(
            steps.call("echo OUTPUT_a=1; echo '{\"b\": 2}'; echo c=3 > \"$SLIPWAY_OUTPUT\""),
            steps.call("printf 'one\\n\\n  two\\nlast without end'; printf 'an error' >&2"),
            steps.call("echo 1o forged; echo '9x 0' >&2; echo '3r 00'; exit 4"),
            steps.call(
                "printf 'a\\r\\nb\\\\n%%s\\t\\342\\202\\254\\n'; echo \"it's \\\"quoted\\\" \\$HOME\""),
            steps.call("exit 77"),
            steps.call("echo gone >&2; exit 76"),
            steps.call("no-such-program"),
            steps.call("kill -9 $$"),
            steps.call("exit 3", Map.of("successCodes", List.of(0L, 3L))),
            steps.call("read line; echo \"OUTPUT_line=$line\"", Map.of("stdin", "from stdin\n")),
            steps.call("cat", Map.of("stdin", "")),
            steps.call("print('OUTPUT_a=%d' % (6 * 7))", Map.of("interpreter", "python3")),
            steps.call("#!/bin/sh\necho \"$0\" | sed 's/.*[/]//'; ls; pwd | sed 's/.*[/].*/dir/'"),
            steps.call("echo not json > \"$SLIPWAY_OUTPUT\"; echo x > other"),
            steps.call("mkdir \"$SLIPWAY_OUTPUT\""),
            steps.call("ln -s /etc/passwd \"$SLIPWAY_OUTPUT\""),
            steps.call("printf '\\377\\376' > \"$SLIPWAY_OUTPUT\""),
            steps.call(": > \"$SLIPWAY_OUTPUT\""),
            steps.call("echo \"$A|$B\"", Map.of("env", Map.of("A", "x 'y' $z\n\"w\"", "B", 7L))),
            steps.call(new RenderedScript("echo \"$V\"", Map.of("V", "`id` $(id) \\ é")), Map.of()),
            steps.call(
                "for n in RUN STEP ATTEMPT TEAM RESOURCE OPERATION IDEMPOTENCY_KEY; do"
                    + " eval \"echo $n=\\$SLIPWAY_$n\"; done; echo $APP_NAME $LANG"),
            steps.call("i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done"),
            steps.call("head -c 200000 /dev/zero | tr '\\0' x; echo; echo OUTPUT_done=1"),
            steps.call(
                "i=0; while [ $i -lt 900 ]; do echo \"k$i=a value that is some words long\";"
                    + " i=$((i+1)); done > \"$SLIPWAY_OUTPUT\""),
            steps.call("sleep 60 & echo OUTPUT_left=behind"),
            steps.call("echo x", Map.of("workingDir", "nowhere")),
            steps.call("echo x", Map.of("successCodes", List.of("none"))));
    for (StepCall call : table) {
      Lines here = new Lines();
      Result local = steps.executor.execute(JobSteps.local(call, here));
      steps.log.all().clear();
      Result job = steps.end(call);
      String script = String.valueOf(call.config().get("script"));
      assertThat(plain(job)).as(script).isEqualTo(plain(local));
      for (String stream : List.of("STDOUT", "STDERR")) {
        assertThat(of(stream, steps.log))
            .as("%s of %s", stream, script)
            .isEqualTo(of(stream, here));
      }
    }
  }

  /** Without what has to differ: where the script is, and where its programs are. */
  private static String plain(Result result) {
    return result
        .toString()
        .replaceAll("/\\S*/script", "script")
        .replace("the image's PATH", "the server's PATH");
  }

  private static List<String> of(String stream, Lines lines) {
    return lines.all().stream()
        .filter(line -> line.startsWith(stream))
        .map(line -> line.replaceAll("/\\S*/script", "script"))
        .toList();
  }

  @Test
  void secrets_are_in_the_secret_of_the_job_alone() {
    StepCall call =
        steps.call(
            new RenderedScript(
                "echo \"password=$P-made\" > \"$SLIPWAY_OUTPUT\"; echo started",
                Map.of("P", "hunter2-in-env")),
            Map.of("stdin", "hunter2-in-stdin"));
    assertThat(steps.outputs(call)).containsEntry("password", "hunter2-in-env-made");

    Job job = steps.jobs().getFirst();
    var client = TestControlPlane.client();
    var pods = client.pods().inNamespace(steps.namespace).list().getItems();
    assertThat(pods).hasSize(1);
    String log =
        client
            .pods()
            .inNamespace(steps.namespace)
            .withName(pods.getFirst().getMetadata().getName())
            .getLog();
    assertThat(log).contains("started").doesNotContain("hunter2");
    assertThat(Serialization.asYaml(job) + Serialization.asYaml(pods)).doesNotContain("hunter2");
    assertThat(client.configMaps().inNamespace(steps.namespace).list().getItems())
        .noneMatch(map -> Serialization.asYaml(map).contains("hunter2"));
    Secret secret =
        client.secrets().inNamespace(steps.namespace).withName(job.getMetadata().getName()).get();
    assertThat(secret.getMetadata().getOwnerReferences().getFirst().getUid())
        .isEqualTo(job.getMetadata().getUid());
    assertThat(
            new String(
                Base64.getDecoder().decode(secret.getData().get("start")), StandardCharsets.UTF_8))
        .contains("hunter2-in-env");
  }

  @Test
  void the_pod_has_no_rights_and_no_token() {
    steps.outputs(steps.call("true"));
    Job job = steps.jobs().getFirst();
    PodSpec pod = job.getSpec().getTemplate().getSpec();
    assertThat(pod.getAutomountServiceAccountToken()).isFalse();
    assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
    assertThat(pod.getSecurityContext().getRunAsUser()).isEqualTo(65532);
    assertThat(pod.getContainers().getFirst().getSecurityContext().getAllowPrivilegeEscalation())
        .isFalse();
    assertThat(job.getSpec().getBackoffLimit()).isZero();
    assertThat(job.getSpec().getActiveDeadlineSeconds()).isBetween(200L, 241L);
    assertThat(job.getSpec().getTtlSecondsAfterFinished()).isEqualTo(3600);
    assertThat(job.getMetadata().getAnnotations())
        .containsEntry("slipway.dev/team", "team-a")
        .containsKey("slipway.dev/idempotency-key");
  }
}
