package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.testbed.TestAnsible;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs the real ansible-playbook; one start takes more than a second, so each playbook tests much.
 */
class AnsibleExecutorTest {
  @TempDir Path data;
  @TempDir Path provider;
  @TempDir Path outside;
  private final Lines log = new Lines();

  private AnsibleExecutor executor() {
    return new AnsibleExecutor(
        data,
        new ProgramPath(TestAnsible.path()),
        () -> ProcessLimits.DEFAULT,
        InstantSource.system());
  }

  /** Uses the Python of Ansible itself for every host that is this machine. */
  private void playbook(String text) throws IOException {
    Files.createDirectory(provider.resolve("group_vars"));
    Files.writeString(
        provider.resolve("group_vars").resolve("all.yaml"),
        "ansible_python_interpreter: '{{ ansible_playbook_python }}'\n");
    Files.writeString(provider.resolve("site.yaml"), text);
  }

  private StepCall call(Object... config) {
    return call(Duration.ofMinutes(2), config);
  }

  private StepCall call(Duration timeout, Object... config) {
    Map<String, Object> all = new HashMap<>(Map.of("playbook", "site.yaml"));
    for (int i = 0; i < config.length; i += 2) {
      all.put((String) config[i], config[i + 1]);
    }
    return Calls.in(provider, Calls.of(Calls.step("ansible", all), all, log, timeout));
  }

  private Map<String, Object> outputs(Result result) {
    assertThat(result).as("%s", log.all()).isInstanceOf(Result.Succeeded.class);
    return ((Result.Succeeded) result).outputs();
  }

  private static StepError error(Result result) {
    return ((Result.Failed) result).error();
  }

  private static Map<String, Object> recap(
      int ok, int changed, int skipped, int rescued, int ignored) {
    Map<String, Object> recap = new HashMap<>(Map.of("unreachable", 0L, "failed", 0L));
    recap.put("ok", (long) ok);
    recap.put("changed", (long) changed);
    recap.put("skipped", (long) skipped);
    recap.put("rescued", (long) rescued);
    recap.put("ignored", (long) ignored);
    return recap;
  }

  @AfterEach
  void nothing_stays_behind() throws IOException {
    if (Files.exists(data.resolve("work"))) {
      try (Stream<Path> left = Files.list(data.resolve("work"))) {
        assertThat(left).isEmpty();
      }
    }
    try (Stream<Path> files = Files.walk(provider)) {
      assertThat(files).noneMatch(file -> file.endsWith("__pycache__"));
    }
  }

  @Test
  void every_text_is_tagged_unsafe_however_deep_it_stands() {
    Object data = AnsibleCommand.asData(Map.of("a", List.of("plain", Map.of("b", "{{ x }}"), 1L)));
    assertThat(data)
        .isEqualTo(
            Map.of(
                "a",
                List.of(
                    Map.of("__ansible_unsafe", "plain"),
                    Map.of("b", Map.of("__ansible_unsafe", "{{ x }}")),
                    1L)));
  }

  @Test
  void set_stats_and_the_recap_are_outputs_and_variables_are_data_of_their_own_type()
      throws Exception {
    playbook(
        """
        - hosts: all
          gather_facts: false
          tasks:
            - name: Sizes are numbers
              ansible.builtin.assert:
                that: [size == 3, on is boolean, 'tree.list[1] is none', big == 12345678901234567890]
            - name: Give back what came in
              ansible.builtin.set_stats:
                data: {size: "{{ size }}", evil: "{{ evil }}", tree: "{{ tree }}"}
            - ansible.builtin.set_stats: {data: {here: "{{ inventory_hostname }}"}, per_host: true}
            - name: Change something
              ansible.builtin.copy: {content: made, dest: "{{ target }}", mode: '0600'}
            - ansible.builtin.meta: noop
              when: false
            - ansible.builtin.command: /bin/false
              ignore_errors: true
            - block: [{ansible.builtin.fail: {msg: oops}}]
              rescue: [{ansible.builtin.debug: {msg: 'saved {{ lookup("env", "SLIPWAY_IDEMPOTENCY_KEY") }}'}}]
        """);
    Path target = data.resolve("made");
    StepCall call =
        call(
            "variables",
            Map.of(
                "size",
                3L,
                "on",
                true,
                "big",
                new BigInteger("12345678901234567890"),
                "evil",
                "{{ lookup('pipe', 'id') }}",
                "target",
                target.toString(),
                "tree",
                Map.of("list", Arrays.asList("{% raw %}", null))));
    Map<String, Object> outputs = outputs(executor().execute(call));
    assertThat(outputs)
        .containsEntry("size", 3L)
        .containsEntry("evil", "{{ lookup('pipe', 'id') }}")
        .containsEntry("changed", true)
        .containsEntry("per_host", Map.of("localhost", Map.of("here", "localhost")))
        .containsEntry("stats", Map.of("localhost", recap(6, 2, 0, 1, 1)));
    assertThat(outputs.get("tree").toString()).isEqualTo("{list=[{% raw %}, null]}");
    assertThat(target).hasContent("made");
    assertThat(log.all())
        .anyMatch(line -> line.contains("TASK [Give back what came in]"))
        .anyMatch(line -> line.contains("saved " + call.key()));
  }

  @Test
  void a_failed_task_is_named_with_its_host_and_message_and_what_no_log_hides_stays_hidden()
      throws Exception {
    playbook(
        """
        - hosts: all
          gather_facts: false
          tasks:
            - name: Load the schema
              ansible.builtin.command: sh -c 'echo no such table >&2; exit 3'
              when: inventory_hostname == 'web1'
            - name: Set the password
              ansible.builtin.command: sh -c 'echo hunter2 >&2; exit 3'
              no_log: true
              when: inventory_hostname == 'web2'
        """);
    Map<String, Object> local = Map.of("ansible_connection", "local");
    Map<String, Object> inventory =
        Map.of("web", Map.of("hosts", Map.of("web1", local, "web2", local, "web3", local)));
    Result result = executor().execute(call("inventory", inventory));
    StepError error = error(result);
    assertThat(error.code()).isEqualTo("playbook-failed");
    assertThat(error.kind()).isEqualTo(StepError.Kind.PERMANENT);
    assertThat(error.message())
        .isEqualTo(
            "web1: task 'Load the schema' failed: non-zero return code: no such table; web2: task"
                + " 'Set the password' failed: (hidden by no_log)");
    assertThat(log.all()).noneMatch(line -> line.contains("hunter2"));
    assertThat(((Result.Failed) result).outputs().get("stats").toString())
        .contains("web3=")
        .contains("failed=1");
  }

  @Test
  void a_host_that_cannot_be_reached_may_be_there_later() throws Exception {
    playbook(
        "- {hosts: all, gather_facts: false, tasks: [{name: Look, ansible.builtin.ping: {}}]}");
    Result result =
        executor()
            .execute(
                call(
                    "inventory",
                    Map.of(
                        "all",
                        Map.of(
                            "hosts",
                            Map.of(
                                "gone",
                                Map.of(
                                    "ansible_host",
                                    "127.0.0.1",
                                    "ansible_port",
                                    1L,
                                    "ansible_ssh_common_args",
                                    "-o ConnectTimeout=2"))))));
    assertThat(error(result).code()).isEqualTo("host-unreachable");
    assertThat(error(result).kind()).isEqualTo(StepError.Kind.TRANSIENT);
    assertThat(error(result).message()).startsWith("gone: task 'Look' found the host unreachable");
  }

  @Test
  void limit_tags_and_check_are_kept_to() throws Exception {
    playbook(
        """
        - hosts: all
          gather_facts: false
          tasks:
            - ansible.builtin.copy: {content: x, dest: "{{ target }}", mode: '0600'}
              tags: [files]
            - ansible.builtin.fail: {msg: not asked for}
        """);
    Files.writeString(
        provider.resolve("hosts.ini"),
        "[web]\na ansible_connection=local\nb ansible_connection=local\n");
    Path target = data.resolve("not-made");
    StepCall call =
        call(
            "inventory", "hosts.ini",
            "limit", "a",
            "tags", List.of("files"),
            "check", "true",
            "variables", Map.of("target", target.toString()));
    Map<String, Object> outputs = outputs(executor().execute(Calls.recovered(call)));
    assertThat(log.all()).anyMatch(line -> line.contains("runs again"));
    assertThat(outputs).containsEntry("stats", Map.of("a", recap(1, 1, 0, 0, 0)));
    assertThat(target).doesNotExist();
  }

  @Test
  void the_environment_is_the_steps_and_nothing_of_the_server() throws Exception {
    playbook(
        """
        - hosts: all
          gather_facts: false
          tasks:
            - ansible.builtin.command: env
              register: out
            - ansible.builtin.command: ls -l {{ lookup('env', 'HOME') }}/variables.json
              register: mode
            - ansible.builtin.set_stats:
                data: {env: "{{ out.stdout_lines }}", mode: "{{ mode.stdout }}", secret: "{{ word }}"}
        """);
    StepCall call = call("variables", Map.of("word", "hunter2"));
    Map<String, Object> outputs = outputs(executor().execute(call));
    List<String> names =
        ((List<?>) outputs.get("env"))
            .stream().map(line -> String.valueOf(line).replaceAll("=.*", "")).toList();
    assertThat(names)
        .contains("APP_NAME", "SLIPWAY_IDEMPOTENCY_KEY", "HOME", "PATH")
        .doesNotContain("JAVA_HOME", "USER", "PWD_OF_SERVER");
    assertThat(outputs.get("mode").toString()).startsWith("-rw-------");
    assertThat(outputs.toString())
        .contains("hunter2"); // not masked, because the playbook itself printed it as an output
    assertThat(log.all()).noneMatch(line -> line.contains("hunter2"));
  }

  @Test
  void a_playbook_that_is_broken_is_distinguished_from_a_host_that_failed() throws Exception {
    playbook("- hosts: all\n  taskz: []\n");
    StepError error = error(executor().execute(call()));
    assertThat(error.code()).isEqualTo("playbook-error");
    assertThat(error.message()).contains("taskz").contains("(site.yaml:");
  }

  @Test
  void a_playbook_that_is_cancelled_is_stopped_with_all_it_started() throws Exception {
    Path pid = data.resolve("pid");
    playbook(
        """
        - hosts: all
          gather_facts: false
          tasks: [{ansible.builtin.shell: "echo $$ > PID; sleep 300"}]
        """
            .replace("PID", pid.toString()));
    AtomicReference<Result> result = new AtomicReference<>();
    StepCall call = call();
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    result.set(executor().execute(call));
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(pid) && Files.size(pid) > 1);
    thread.interrupt();
    assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
    assertThat(result.get()).isNull();
    long child = Long.parseLong(Files.readString(pid).strip());
    await().until(() -> ProcessHandle.of(child).filter(ProcessHandle::isAlive).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "playbook,../site.yaml,leads out",
    "playbook,/etc/passwd,leads out",
    "playbook,a/../../x,leads out",
    "playbook,nothing.yaml,has no file",
    "playbook,link.yaml,is a link out",
    "playbook,.,is no file",
    "inventory,../hosts,leads out",
    "inventory,'a b,c',is no host's name",
    "limit,@/etc/passwd,not a file"
  })
  void nothing_outside_the_provider_is_read(String field, String value, String said)
      throws Exception {
    playbook("[]");
    Files.createSymbolicLink(provider.resolve("link.yaml"), outside);
    StepError error = error(executor().execute(call(field, value)));
    assertThat(error.code()).isEqualTo("invalid-config");
    assertThat(error.message()).contains(said);
  }

  @Test
  void a_name_of_ansibles_own_cannot_come_in_as_a_variable() throws Exception {
    playbook("[]");
    Map<String, Object> variables = Map.of("x", Map.of("__ansible_vault", "y"));
    assertThat(error(executor().execute(call("variables", variables))).code())
        .isEqualTo("invalid-config");
  }
}
