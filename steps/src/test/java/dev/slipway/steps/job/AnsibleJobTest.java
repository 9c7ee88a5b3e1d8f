package dev.slipway.steps.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.steps.Lines;
import dev.slipway.testbed.TestAnsible;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Playbooks as Jobs, with the real ansible-playbook. */
@Tag("proof")
@Timeout(300)
class AnsibleJobTest {
  private static final String SITE =
      """
      - hosts: all
        gather_facts: false
        tasks:
          - name: say
            debug: {msg: "{{ greeting }} from {{ lookup('file', 'data/name') }}"}
          - name: refuse
            fail: {msg: "no {{ greeting }}"}
            when: refused is defined
          - name: keep
            set_stats:
              data: {count: 3, greeting: "{{ greeting }}", nested: {a: [1, 2]}}
      """;

  @TempDir Path data;
  @TempDir Path provider;

  @Test
  void a_playbook_has_the_result_that_it_has_on_the_server() throws Exception {
    files();
    try (JobSteps steps = new JobSteps(data)) {
      for (Map<String, Object> more :
          List.of(
              config(Map.of("greeting", "{{ hello }} 'you'")),
              config(Map.of("greeting", "x", "refused", true)),
              config(Map.of()),
              without("playbook", "nowhere.yaml"),
              without("limit", "@/etc/passwd"))) {
        StepCall call = steps.playbook(provider, more);
        Result local = steps.ansible.execute(JobSteps.local(call, new Lines()));
        Result job = JobSteps.end(steps.ansible, call);
        assertThat(plain(job)).as("%s", more).isEqualTo(plain(local));
      }
      assertThat(steps.log.all()).anyMatch(line -> line.contains("''you'' from ann"));
      assertThat(steps.jobs()).hasSize(3);
    }
  }

  private void files() throws IOException {
    Files.createDirectories(provider.resolve("data"));
    Files.createDirectories(provider.resolve("group_vars"));
    Files.writeString(provider.resolve("data/name"), "ann");
    Files.writeString(
        provider.resolve("group_vars/all.yaml"),
        "ansible_python_interpreter: '{{ ansible_playbook_python }}'\n");
    Files.writeString(provider.resolve("site.yaml"), SITE);
  }

  private static Map<String, Object> config(Map<String, Object> variables) {
    return Map.of(
        "playbook", "site.yaml", "variables", variables, "env", Map.of("PATH", TestAnsible.path()));
  }

  private static Map<String, Object> without(String field, String value) {
    Map<String, Object> config = new HashMap<>(config(Map.of()));
    config.put(field, value);
    return config;
  }

  /** Without the directory of the provider, which is another one in a pod. */
  private static String plain(Result result) {
    return result.toString().replaceAll("/[^ ']*/(site.yaml)", "$1");
  }
}
