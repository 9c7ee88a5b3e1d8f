package dev.slipway.engine.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.workflow.Step.Capture;
import dev.slipway.engine.workflow.Step.Condition;
import dev.slipway.engine.workflow.Step.OnError;
import dev.slipway.engine.workflow.Step.When;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkflowParserTest {

  private static final String REFERENCE =
      """
      parameters:
        - {name: db_name, type: string, required: true, pattern: '^[a-z][a-z0-9_]*$'}
        - {name: size, enum: [small, large], default: small}
      steps:
        - {name: sign-off, type: approval, if: 'parameters.environment == "production" and parameters.size != "small"', config: {teams: [dba]}}
        - name: make-db
          type: sql
          config: {connection: admin-pg, transaction: false, statements: ['CREATE DATABASE {{ ident .parameters.db_name }}']}
          retry: {attempts: 4, backoff: exponential, delay: 2s}
          compensate:
            - {name: drop-db, type: sql, config: {connection: admin-pg, transaction: false, statements: ['DROP DATABASE IF EXISTS {{ ident .parameters.db_name }}']}}
        - name: check-db
          type: policy
          config: {script: 'psql -Atc "select current_database()" "dbname={{ .parameters.db_name }}"'}
          outputs: [database]
          on_error: rollback
      outputs:
        database: '{{ .steps.check-db.output.database }}'
      """;

  @Test
  void the_example_of_the_reference_is_read_in_full() {
    Workflow workflow = Workflows.body(REFERENCE).good();
    assertThat(workflow.name()).isEqualTo("test");
    assertThat(workflow.parameters())
        .extracting(Parameter::name)
        .containsExactly("db_name", "size");
    assertThat(workflow.parameters().get(1).type()).isEqualTo(Parameter.Type.ENUM);
    assertThat(workflow.steps())
        .extracting(Step::name)
        .containsExactly("sign-off", "make-db", "check-db");
    Step makeDb = workflow.step("make-db").orElseThrow();
    assertThat(makeDb.retry().attempts()).isEqualTo(4);
    assertThat(makeDb.retry().delay()).isEqualTo(Duration.ofSeconds(2));
    assertThat(makeDb.compensate()).extracting(Step::name).containsExactly("drop-db");
    assertThat(makeDb.timeout()).isEqualTo(Duration.ofMinutes(10));
    Step checkDb = workflow.step("check-db").orElseThrow();
    assertThat(checkDb.onError().action()).isEqualTo(OnError.Action.ROLLBACK);
    assertThat(checkDb.dependsOn()).containsExactly("sign-off", "make-db");
    assertThat(workflow.outputs().get("database").value())
        .isEqualTo("{{ .steps.check-db.output.database }}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"workflow.dev/v1", "orchestrator.innominatus.dev/v1"})
  void the_wrapped_versions_keep_everything_below_spec(String version) {
    Workflow workflow =
        Workflows.file(
                "apiVersion: "
                    + version
                    + """

                    kind: Workflow
                    metadata: {name: wrapped, description: as before}
                    spec:
                      parameters: [{name: a}]
                      variables: {b: 1}
                      steps: [{name: s, type: shell, script: echo hello}]
                      outputs: {c: {value: '${parameters.a}', secret: true}}
                    """)
            .good();
    assertThat(workflow.description()).isEqualTo("as before");
    assertThat(workflow.variables()).isEqualTo(Map.of("b", 1L));
    assertThat(workflow.steps().getFirst().config()).isEqualTo(Map.of("script", "echo hello"));
    assertThat(workflow.outputs())
        .isEqualTo(Map.of("c", new Workflow.Output("${parameters.a}", Workflow.Secrecy.SECRET)));
  }

  @Test
  void every_field_of_a_step_is_read_in_either_spelling() {
    String camel =
        """
        steps:
          - name: one
            type: shell
            config: {workingDir: sub, successCodes: [0, 3]}
            script: echo OUTPUT_x=1
            when: always
            if: parameters.a == 1
            unless: parameters.b
            timeout: 1h30m
            retry: {attempts: 5, backoff: linear, delay: 1s, maxDelay: 10s, jitter: 0.5, on: any}
            env: {A: 1.10, B: '{{ .parameters.a }}'}
            outputs: [x, y]
            outputFile: out.json
            capture: {y: {from: stdout, jsonPath: '$.a[0]'}, z: {from: body, regex: 'id=(\\d+)'}}
            setVariables: {last: '{{ .steps.one.output.x }}', n: 5}
            onError: {action: rollback, rollbackSteps: [{name: undo, type: shell, command: echo undo}]}
        """;
    Workflow first = Workflows.body(camel).good();
    Step step = first.steps().getFirst();
    assertThat(step.type()).isEqualTo("policy");
    assertThat(step.config())
        .isEqualTo(
            Map.of(
                "script", "echo OUTPUT_x=1", "workingDir", "sub", "successCodes", List.of(0L, 3L)));
    assertThat(step.when()).isEqualTo(When.ALWAYS);
    assertThat(step.conditions())
        .containsExactly(
            new Condition("parameters.a == 1", Condition.Expect.TRUE),
            new Condition("parameters.b", Condition.Expect.FALSE));
    assertThat(step.timeout()).isEqualTo(Duration.ofMinutes(90));
    assertThat(step.retry())
        .isEqualTo(
            new Retry(
                5,
                Retry.Backoff.LINEAR,
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                0.5,
                Retry.On.ANY));
    assertThat(step.env()).isEqualTo(Map.of("A", "1.10", "B", "{{ .parameters.a }}"));
    assertThat(step.capture())
        .isEqualTo(
            Map.of(
                "y", new Capture(Capture.Source.STDOUT, "$.a[0]", null),
                "z", new Capture(Capture.Source.BODY, null, "id=(\\d+)")));
    assertThat(step.setVariables()).isEqualTo(Map.of("last", "{{ .steps.one.output.x }}", "n", 5L));
    assertThat(step.onError().rollbackSteps()).extracting(Step::name).containsExactly("undo");

    String snake =
        camel
            .replace("workingDir", "working_dir")
            .replace("successCodes", "success_codes")
            .replace("maxDelay", "max_delay")
            .replace("outputFile", "output_file")
            .replace("jsonPath", "json_path")
            .replace("setVariables", "set_variables")
            .replace("onError", "on_error")
            .replace("rollbackSteps", "rollback_steps");
    assertThat(Workflows.body(snake).good()).isEqualTo(first);
  }

  @Test
  void defaults_of_retry_depend_on_the_type() {
    Workflow workflow =
        Workflows.body(
                """
                steps:
                  - {name: a, type: http, url: https://example.com}
                  - {name: b, type: shell, script: 'true'}
                """)
            .good();
    assertThat(workflow.steps().get(0).retry().attempts()).isEqualTo(3);
    assertThat(workflow.steps().get(1).retry()).isEqualTo(Retry.ONCE);
  }

  @Test
  void a_step_waits_for_all_earlier_ones_its_group_for_none_of_its_own_and_a_named_one_for_those() {
    Workflow workflow =
        Workflows.body(
                """
                steps:
                  - {name: a, type: shell, script: 'true'}
                  - {name: b, type: shell, script: 'true', parallel: true, parallelGroup: 1}
                  - {name: c, type: shell, script: 'true', parallel: true, parallelGroup: 1}
                  - {name: d, type: shell, script: 'true', parallel: true, parallelGroup: 2}
                  - {name: e, type: shell, script: 'true'}
                  - {name: f, type: shell, script: 'true', dependsOn: []}
                  - {name: g, type: shell, script: 'echo {{ .steps.b.output.x }}', dependsOn: [c]}
                  - {name: h, type: shell, script: 'echo ${a.x}', depends_on: [], if: f.success}
                """)
            .good();
    assertThat(workflow.steps())
        .extracting(Step::dependsOn)
        .containsExactly(
            List.of(),
            List.of("a"),
            List.of("a"),
            List.of("a", "b", "c"),
            List.of("a", "b", "c", "d"),
            List.of(),
            List.of("c", "b"),
            List.of("a", "f"));
  }

  @Test
  void a_sub_workflow_has_a_reference_and_parameters() {
    Step step =
        Workflows.body(
                """
                steps:
                  - {name: sub, type: workflow, workflow: db-team/make, parameters: {n: '${context.app}'}}
                """)
            .good()
            .steps()
            .getFirst();
    assertThat(step.subWorkflow())
        .contains(new Step.SubWorkflow("db-team/make", Map.of("n", "${context.app}")));
  }

  @Test
  void old_spellings_are_read_with_warnings_that_say_what_to_write() {
    Workflows.Read read =
        Workflows.file(
            """
            apiVersion: innominatus.io/v1alpha1
            kind: Workflow
            metadata: {name: old}
            spec:
              inputs:
                size: {type: int, default: 3}
              steps:
                - name: a
                  type: shell
                  script: 'true'
                  condition: parameters.size == 3
                  retries: 2
                  continueOnError: true
                  env: [{name: X, value: y}]
              outputs:
                - {name: o, value: '${parameters.size}'}
            """);
    Step step = read.good().steps().getFirst();
    assertThat(step.conditions()).hasSize(1);
    assertThat(step.retry().attempts()).isEqualTo(3);
    assertThat(step.onError().action()).isEqualTo(OnError.Action.CONTINUE);
    assertThat(step.env()).isEqualTo(Map.of("X", "y"));
    assertThat(read.good().outputs()).containsOnlyKeys("o");
    assertThat(read.texts())
        .containsExactly(
            "w.yaml:4:1: warning: spec: innominatus.io/v1alpha1 has no 'spec'. Move what is in it one level up.",
            "w.yaml:5:3: warning: spec.inputs: 'inputs' is an old name. Write 'parameters'.",
            "w.yaml:5:3: warning: spec.inputs: parameters as a map are an old form. Write a list with names.",
            "w.yaml:11:7: warning: spec.steps[0].condition: 'condition' is an old name. Write 'if'.",
            "w.yaml:12:7: warning: spec.steps[0].retries: an old field. Write 'retry: {attempts: n}'.",
            "w.yaml:13:7: warning: spec.steps[0].continueOnError: an old field. Write 'on_error: continue'.",
            "w.yaml:14:7: warning: spec.steps[0].env: env as a list is an old form. Write a map by name.",
            "w.yaml:15:3: warning: spec.outputs: outputs as a list are an old form. Write a map by name.");
  }

  @Test
  void the_same_text_always_gives_the_same_workflow() {
    assertThat(Workflows.body(REFERENCE).good()).isEqualTo(Workflows.body(REFERENCE).good());
  }
}
