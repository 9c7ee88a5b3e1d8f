package dev.slipway.engine.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is wrong in a workflow file, with the place and what to do; line 4 is the first one here.
 */
class WorkflowErrorsTest {
  private static final String NOT_FIXED =
      "'connection' cannot depend on parameters, variables or outputs. Write its name, or"
          + " {{ .config.NAME }} with NAME below configuration in provider.yaml.";

  static List<Arguments> cases() {
    return List.of(
        wrong("steps: []", "4:8: steps: a workflow needs at least one step"),
        wrong("variables: {}", "1:1: 'steps' is required"),
        wrong(
            """
            parameters: [{name: c, default: x}]
            variables: {v: x}
            steps:
              - {name: a, type: sql, query: SELECT 1, connection: 'x-{{ .parameters.c }}'}
              - {name: b, type: sql, query: SELECT 1, connection: '${VARIABLE}'}
              - {name: d, type: sql, query: SELECT 1, connection: '{{ .config.c | trunc 2 }}'}
              - {name: e, type: sql, query: SELECT 1, connection: '{{ .variables.v }}'}
              - {name: f, type: sql, query: SELECT 1, connection: '{{ .steps.a.output.first }}'}
              - {name: g, type: sql, query: SELECT 1, connection: '{{ index . "parameters" "c" }}'}
              - {name: h, type: sql, query: SELECT 1, connection: 'x-{{ .config.c.d }}'}
            """,
            "7:55: steps[0].connection: " + NOT_FIXED,
            "8:55: steps[1].connection: " + NOT_FIXED,
            "9:55: steps[2].connection: " + NOT_FIXED,
            "10:55: steps[3].connection: " + NOT_FIXED,
            "11:55: steps[4].connection: " + NOT_FIXED,
            "12:55: steps[5].connection: " + NOT_FIXED),
        wrong(
            """
            steps:
              - {name: a, type: shel, script: 'true'}
            """,
            "5:21: steps[0].type: there is no executor for steps of type 'shel'. Did you mean"
                + " 'shell'?"),
        wrong(
            """
            steps:
              - {name: a, type: shell, scirpt: 'true'}
            """,
            "5:28: steps[0].scirpt: unknown field 'scirpt'. Did you mean 'script'?"),
        wrong(
            """
            steps:
              - name: a
                type: shell
                config: {script: 'true', workdir: x}
            """,
            "7:30: steps[0].config.workdir: unknown field 'workdir'. Known here: script, command,"
                + " interpreter, stdin, workingDir, successCodes."),
        wrong(
            """
            steps:
              - {name: a, type: http}
              - {name: a, type: wait, duration: soon}
              - {name: a b, type: wait, duration: 5s}
            """,
            "5:5: steps[0]: a step of type http needs 'url'. Where to call.",
            "6:12: steps[1].name: two steps are called 'a'",
            "6:37: steps[1].duration: expected a duration, found the string 'soon'. Write seconds"
                + " (300) or units like 90s, 1h30m, 7d, 2w.",
            "7:12: steps[2].name: 'a b' is not a step's name (letters, digits, hyphens and"
                + " underscores)"),
        wrong(
            """
            steps:
              - name: a
                type: shell
                script: echo 1
                config: {script: echo 2}
            """,
            "7:13: steps[0].script: 'script' is written here and below 'config', with different"
                + " values. Remove one of them."),
        wrong(
            """
            steps:
              - {name: a, type: http, url: x, config: {verb: GET}, method: POST}
              - {name: b, type: http, url: x, method: PSOT}
              - {name: c, type: http, url: x, verb: TRACE}
              - {name: d, type: http, url: x, verb: '{{ .parameters.verb }}'}
            parameters: [{name: verb}]
            """,
            "5:50: steps[0].config.verb: 'verb' is written here and as 'method', which means the"
                + " same, with different values. Remove one of them.",
            "6:43: steps[1].method: 'PSOT' is not one of GET or POST. Did you mean 'POST'?",
            "7:41: steps[2].verb: 'TRACE' cannot be used: it shows what others sent. Write one of:"
                + " GET, POST."),
        wrong(
            """
            steps:
              - {name: a, type: shell, script: 'true', outputFile: a, output_file: b}
            """,
            "5:59: steps[0].output_file: this is the same key as 'outputFile'. Remove one of"
                + " them."),
        wrong(
            """
            steps:
              - {name: a, type: shell, script: 'true', dependsOn: [b]}
              - {name: b, type: shell, script: 'true', dependsOn: [c]}
              - {name: c, type: shell, script: 'true', dependsOn: [a]}
            """,
            "5:5: steps[0]: steps wait for each other: a -> b -> c -> a. A step waits for all"
                + " earlier ones unless it says dependsOn."),
        wrong(
            """
            steps:
              - {name: a, type: shell, script: 'true', dependsOn: [a, make-bd]}
              - {name: make-db, type: shell, script: 'true'}
            """,
            "5:55: steps[0].dependsOn: the step depends on itself",
            "5:55: steps[0].dependsOn: there is no step 'make-bd'. Did you mean 'make-db'?"),
        wrong(
            """
            steps:
              - {name: a, type: shell, script: 'echo {{ .steps.b.output.x }}'}
              - {name: b, type: shell, script: 'echo ${steps.bb.output.x} ${b.x}', outputs: [y]}
            """,
            "5:45: steps[0].script: step 'b' has no output 'x'. Did you mean 'y'?",
            "5:45: steps[0].script: step 'b' runs after this one, so its results are not known"
                + " here",
            "6:42: steps[1].script: there is no step 'bb'. Did you mean 'b'?",
            "6:63: steps[1].script: a step cannot use its own results"),
        wrong(
            """
            steps:
              - {name: a, type: shell, script: 'true', parallel: true}
              - name: b
                type: shell
                parallel: true
                script: |
                  echo one
                  echo ${a.x}
            """,
            "6:5: steps[1]: uses step 'a', which starts at the same time. Give it another"
                + " parallelGroup, or write dependsOn: [a]."),
        wrong(
            """
            parameters: [{name: db_name}]
            steps:
              - name: a
                type: shell
                script: |
                  echo fine
                  echo {{ .parameters.dbname }} {{ .parameter.x }} {{ .variables.v }}
            """,
            "10:15: steps[0].script: parameter 'dbname' is not declared. Did you mean 'db_name'?",
            "10:40: steps[0].script: there is no 'parameter' here. Did you mean 'parameters'?",
            "10:59: steps[0].script: there is no variable 'v'"),
        wrong(
            """
            steps:
              - {name: a, type: shell, script: 'echo {{ .parameters.x'}
              - {name: b, type: shell, script: 'echo {{ nope 1 }}'}
              - {name: c, type: shell, script: 'true', if: 'parameters.x = 3'}
              - {name: d, type: shell, script: 'true', unless: 'parameter.x == 3', env: {A: '${a b}'}}
            """,
            "5:58: steps[0].script: unclosed action",
            "6:45: steps[1].script: function \"nope\" not defined. Did you mean \"not\"?",
            "7:62: steps[2].if: unexpected '='. Write '=='.",
            "8:53: steps[3].unless: there is no 'parameter' here. Did you mean 'parameters'?",
            "8:82: steps[3].env.A: '${a b}' is not a placeholder. Write ${parameters.name},"
                + " ${steps.name.output.key} or ${VARIABLE}; $${ is a plain '${'."),
        wrong(
            """
            parameters:
              - {name: a, type: strng}
              - {name: a, type: integer, default: x}
              - {name: b, default: '{{ .parameters.c }}'}
              - {name: c, default: '${parameters.b}'}
              - {name: d, pattern: '('}
              - {name: e, min: 3, max: 1, secrt: true}
              - {type: enum}
            steps: [{name: s, type: shell, script: 'true'}]
            """,
            "5:21: parameters[0].type: 'strng' is not one of string, number, integer, boolean,"
                + " object, array, enum, duration, secret, int, bool, map or list. Did you mean"
                + " 'string'?",
            "6:12: parameters[1].name: parameter 'a' is declared twice",
            "7:24: parameters[2].default: defaults are made from each other: b -> c -> b. Give one"
                + " of them a value of its own.",
            "9:24: parameters[4].pattern: error parsing regexp: missing closing ): `(`. Patterns"
                + " are written as for RE2.",
            "10:20: parameters[5].min: min is greater than max",
            "10:31: parameters[5].secrt: unknown field 'secrt'. Did you mean 'secret'?",
            "11:5: parameters[6]: 'name' is required",
            "11:5: parameters[6]: 'enum' is required for the type enum"),
        wrong(
            """
            parameters:
              - {name: a, type: integer, default: x}
              - {name: b, default: 'a {{ .steps.s.output.x }}'}
              - {name: c, default: 'a {{ .parameters.d '}
              - {name: dd, default: 'a {{ .parameters.cc }}'}
            steps: [{name: s, type: shell, script: 'true'}]
            """,
            "5:39: parameters[0].default: 'a' must be a whole number, found 'x'",
            "6:30: parameters[1].default: a default is made before any step runs",
            "7:44: parameters[2].default: unclosed action",
            "8:31: parameters[3].default: parameter 'cc' is not declared. Did you mean 'c'?"),
        wrong(
            """
            parameters: [{name: size, type: integer, max: 3, default: 5}]
            steps: [{name: s, type: shell, script: 'true'}]
            """,
            "4:59: parameters[0].default: 'size': 5 is more than the maximum 3"),
        wrong(
            """
            steps:
              - name: a
                type: shell
                script: 'true'
                retry: {attempts: 0, backoff: slow, jitter: 2, tries: 3}
                on_error: explode
                timeout: soon
                env: {SLIPWAY_X: 1, 1A: 2, B: [3]}
                capture: {k: {jsonPath: '$..x'}, l: {}}
            """,
            "8:23: steps[0].retry.attempts: expected a whole number from 1 to 100, found the"
                + " integer 0",
            "8:35: steps[0].retry.backoff: 'slow' is not one of fixed, linear or exponential",
            "8:49: steps[0].retry.jitter: jitter must be between 0 and 1",
            "8:52: steps[0].retry.tries: unknown field 'tries'. Known here: attempts, backoff,"
                + " delay, maxDelay, jitter, on.",
            "9:15: steps[0].on_error: 'explode' is not one of fail, continue or rollback",
            "10:14: steps[0].timeout: expected a duration, found the string 'soon'. Write seconds"
                + " (300) or units like 90s, 1h30m, 7d, 2w.",
            "11:10: steps[0].env: 'SLIPWAY_X' changes how the shell itself works and cannot be set",
            "11:10: steps[0].env: '1A' cannot be an environment variable",
            "11:10: steps[0].env: 'B' must be text, not a list",
            "12:29: steps[0].capture.k.jsonPath: not a path: '..x'. Write a path such as"
                + " $.items[0].name or $['a key'].",
            "12:38: steps[0].capture.l: write one of 'jsonPath' and 'regex'"),
        wrong(
            """
            steps:
              - {name: a, type: workflow}
              - {name: b, type: shell, script: 'true', parameters: {x: 1}}
            stepz: []
            """,
            "5:5: steps[0]: a step of type workflow needs 'workflow'",
            "6:56: steps[1].parameters: 'parameters' belongs to a step of type workflow. Write what"
                + " the executor needs below 'config'.",
            "7:1: stepz: unknown field 'stepz'. Did you mean 'steps'?"));
  }

  private static Arguments wrong(String body, String... messages) {
    return Arguments.of(body, List.of(messages));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void every_mistake_is_found_at_once_and_at_its_place(String body, List<String> messages) {
    Workflows.Read read = Workflows.body(body);
    assertThat(read.texts())
        .containsExactlyElementsOf(messages.stream().map(message -> "w.yaml:" + message).toList());
    assertThat(read.workflow()).isEmpty();
  }

  @Test
  void a_head_that_is_not_a_workflows_is_refused() {
    assertThat(
            Workflows.file("apiVersion: v2\nkind: Workflo\nsteps: [{name: a, type: x}]\n").texts())
        .containsExactly(
            "w.yaml:1:1: 'metadata' is required",
            "w.yaml:1:1: metadata: 'name' is required",
            "w.yaml:1:13: apiVersion: 'v2' is not one of innominatus.io/v1alpha1, workflow.dev/v1"
                + " or orchestrator.innominatus.dev/v1",
            "w.yaml:2:7: kind: 'Workflo' is not one of Workflow. Did you mean 'Workflow'?",
            "w.yaml:3:25: steps[0].type: there is no executor for steps of type 'x'. Known here:"
                + " approval, http, policy, shell, sql, wait, workflow.");
    assertThat(Workflows.file("- a\n").texts()).isNotEmpty();
    assertThat(Workflows.file("").workflow()).isEmpty();
  }

  @Test
  void an_undeclared_parameter_that_may_come_with_the_resource_is_a_warning() {
    Workflows.Read read =
        Workflows.body(
            "parameters: [{name: a}]\n"
                + "steps: [{name: s, type: shell, script: 'echo {{ .parameters.zone }}'}]\n");
    assertThat(read.workflow()).isPresent();
    assertThat(read.texts())
        .containsExactly(
            "w.yaml:5:49: warning: steps[0].script: parameter 'zone' is not declared. Declare it"
                + " under 'parameters'.");
  }

  @Test
  void mangled_workflows_never_break_the_parser() {
    String good =
        Workflows.HEAD
            + """
            parameters: [{name: x, type: integer, default: '{{ .parameters.y }}'}, {name: y}]
            variables: {v: '${parameters.x}'}
            steps:
              - name: a
                type: shell
                if: parameters.x > 3 and not (parameters.y in [a, "b"])
                script: |
                  cat <<'EOF' | grep "{{ .parameters.y }}" && echo $(( {{ .parameters.x }} + 1 ))
                  {{ range $i, $e := .parameters.y }}${parameters.x}{{ end }}
                  EOF
                  case $x in a|b) echo `date` ;; esac; f() { [[ $a =~ ^(b)$ ]]; }
                retry: {attempts: 3}
                capture: {k: {jsonPath: '$.a'}}
              - {name: b, type: sql, connection: c, query: "select '{{ .x }}' -- ${steps.a.output.k}"}
            outputs: {o: '{{ .steps.a.output.k }}'}
            """;
    Random random = new Random(3);
    String signs = "{}[]()'\"`$\\|&;<>#!:- \n\tx{{}}${EOF\0é";
    for (int i = 0; i < 500; i++) {
      StringBuilder text = new StringBuilder(good);
      for (int n = 1 + random.nextInt(6); n > 0; n--) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
          case 0 -> text.deleteCharAt(at);
          case 1 -> text.insert(at, signs.charAt(random.nextInt(signs.length())));
          default -> text.setCharAt(at, signs.charAt(random.nextInt(signs.length())));
        }
      }
      Workflows.file(text.toString());
    }
  }
}
