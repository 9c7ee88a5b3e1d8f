package dev.slipway.engine.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import dev.slipway.engine.workflow.StepTypes;
import dev.slipway.engine.workflow.WorkflowParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramCheckTest {
  private static final StepTypes TYPES =
      new StepTypes(
          List.of(
              new StepType(
                  "play",
                  Set.of(),
                  List.of(
                      new Field("program", Kind.TEXT, Need.REQUIRED, ""),
                      new Field("env", Kind.MAP, Need.OPTIONAL, "")),
                  1,
                  StepType.Code.RUNS,
                  config -> Set.of(String.valueOf(config.get("program")))),
              new StepType("noop", Set.of(), List.of(), 1, StepType.Code.NONE)));

  @TempDir Path temp;
  private Path bin;
  private Path provider;

  @BeforeEach
  void write() throws IOException {
    bin = Files.createDirectory(temp.resolve("bin"));
    provider =
        ProviderFiles.write(
            temp.resolve("cache-team"),
            """
            apiVersion: v1
            kind: Provider
            metadata: {name: cache-team, version: 1.0.0}
            capabilities:
              resourceTypeCapabilities:
                - type: redis
                  operations:
                    create: {workflow: make}
                    delete: {workflow: drop}
            workflows:
              - {name: make, file: ./make.yaml}
              - {name: drop, file: ./drop.yaml}
            """);
    workflow("make.yaml", "{name: configure, type: play, config: {program: ansible-playbook}}");
    workflow("drop.yaml", "{name: nothing, type: noop}");
  }

  private void workflow(String file, String step) throws IOException {
    Files.writeString(
        provider.resolve(file),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: w}
        steps:
          - %s
        """
            .formatted(step));
  }

  private void install(String program) throws IOException {
    Files.createFile(
        bin.resolve(program),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
  }

  private LiveRegistry registry() {
    ProgramCheck check = ProgramCheck.onServer(new ProgramPath(bin.toString()));
    return new LiveRegistry(
        new ProviderLoader(new WorkflowParser(TYPES)::parse, check),
        List.of(ProviderSource.directory(provider, 0)));
  }

  private static Resolution resolve(Registry registry, Operation operation) {
    return registry.resolve("redis", operation, List.of(), "default");
  }

  @Test
  void a_missing_program_is_said_with_its_place_and_how_to_install_it() {
    Registry registry = registry().reload();

    ProviderProblem problem = registry.problems().getFirst();
    assertThat(problem.kind()).isEqualTo(ProviderProblem.Kind.MISSING_PROGRAM);
    assertThat(problem.availability()).isEqualTo(ProviderProblem.Availability.PARTLY_IN_SERVICE);
    assertThat(problem.diagnostics())
        .extracting(Diagnostic::text)
        .containsExactly(
            "cache-team/make.yaml:5:5: steps[0]: step 'configure' needs 'ansible-playbook', which"
                + " is not on the PATH of this server. Install it: pipx install ansible-core, or"
                + " apt-get install ansible. Then: slipway provider reload");
  }

  @Test
  void only_the_workflows_that_lack_it_are_out_of_use() {
    Registry registry = registry().reload();

    assertThat(resolve(registry, Operation.CREATE))
        .isInstanceOfSatisfying(
            Resolution.MissingPrograms.class,
            lacks ->
                assertThat(lacks.words())
                    .startsWith("cache-team cannot create 'redis' on this server: ")
                    .contains("needs 'ansible-playbook'"));
    assertThat(resolve(registry, Operation.DELETE)).isInstanceOf(Resolution.Found.class);
  }

  @Test
  void an_installed_program_counts_from_the_next_reload_on() throws IOException {
    LiveRegistry live = registry();
    live.reload();
    install("ansible-playbook");

    Registry registry = live.reload();

    assertThat(registry.problems()).isEmpty();
    assertThat(resolve(registry, Operation.CREATE)).isInstanceOf(Resolution.Found.class);
  }

  @Test
  void a_program_that_went_away_takes_its_workflows_out_of_use() throws IOException {
    install("ansible-playbook");
    LiveRegistry live = registry();
    live.reload();
    Files.delete(bin.resolve("ansible-playbook"));

    assertThat(resolve(live.reload(), Operation.CREATE))
        .isInstanceOf(Resolution.MissingPrograms.class);
  }

  @Test
  void a_file_that_cannot_be_executed_is_no_program() throws IOException {
    Files.createFile(bin.resolve("ansible-playbook"));
    Files.setPosixFilePermissions(
        bin.resolve("ansible-playbook"), PosixFilePermissions.fromString("rw-r--r--"));

    assertThat(registry().reload().problems()).hasSize(1);
  }

  @Test
  void elsewhere_than_on_the_server_it_is_a_warning() {
    ProviderLoader loader =
        new ProviderLoader(
            new WorkflowParser(TYPES)::parse,
            ProgramCheck.elsewhere(new ProgramPath(bin.toString())));

    ProviderLoader.Loaded loaded =
        loader.load(ProviderSource.directory(provider, 0), provider, null);

    assertThat(loaded.provider()).isPresent();
    assertThat(loaded.diagnostics())
        .singleElement()
        .satisfies(
            d ->
                assertThat(d.text())
                    .contains("warning: ", "on the PATH of this machine", "The server needs it"));
  }

  @Test
  void an_inner_step_counts_and_one_with_a_path_of_its_own_does_not() throws IOException {
    workflow(
        "make.yaml",
        """
        name: a
            type: noop
            compensate:
              - {name: undo, type: play, config: {program: /no/such/program}}
          - {name: b, type: play, config: {program: mine, env: {PATH: /opt/mine}}}
        """);

    assertThat(registry().reload().problems().getFirst().diagnostics())
        .extracting(Diagnostic::message)
        .containsExactly(
            "step 'undo' needs '/no/such/program', which is not a program of this server");
  }
}
