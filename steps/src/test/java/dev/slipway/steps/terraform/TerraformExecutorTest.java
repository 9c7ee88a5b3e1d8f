package dev.slipway.steps.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.testbed.TerraformProgram;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class TerraformExecutorTest {
  private static final String SECRET = "planted-Zx81-secret";

  @TempDir Path directory;
  private Modules modules;
  private Path witness;

  @BeforeEach
  void start() {
    modules = new Modules(directory);
    witness = directory.resolve("witness");
    modules.file(
        "db/main.tf",
        """
        variable "name" { type = string }
        variable "size" { default = 1 }
        variable "password" {
          type      = string
          default   = ""
          sensitive = true
        }
        resource "terraform_data" "db" {
          input = { name = var.name, size = var.size, password = var.password }
          provisioner "local-exec" { command = "echo made >> %1$s" }
          provisioner "local-exec" {
            when    = destroy
            command = "echo destroyed >> %1$s"
          }
        }
        module "rules" { source = "../shared/rules" }
        output "name" { value = terraform_data.db.output.name }
        output "size" { value = var.size }
        output "ports" { value = [5432, "x", true] }
        output "endpoint" { value = { host = "db.internal", port = 5432 } }
        output "rules" { value = module.rules.count }
        output "login" {
          value     = var.password
          sensitive = true
        }
        """
            .formatted(witness));
    modules.file("shared/rules/main.tf", "output \"count\" { value = 2 }");
  }

  @AfterEach
  void nothing_stays_behind() throws IOException {
    modules.close();
    if (Files.exists(modules.data.resolve("work"))) {
      try (Stream<Path> left = Files.list(modules.data.resolve("work"))) {
        assertThat(left).isEmpty();
      }
    }
  }

  private Modules.Work named(String name) {
    return modules.work().with("variables", Map.of("name", name, "password", SECRET));
  }

  private List<String> witnessed() throws IOException {
    return Files.exists(witness) ? Files.readAllLines(witness) : List.of();
  }

  static List<Path> programs() {
    return TerraformProgram.all();
  }

  @ParameterizedTest
  @MethodSource("programs")
  void a_module_is_made_changed_and_destroyed(Path program) throws Exception {
    modules.program = program;
    Modules.Work create = named("orders");
    Result.Succeeded made = (Result.Succeeded) create.execute();
    assertThat(made.outputs())
        .containsEntry("name", "orders")
        .containsEntry("size", 1L)
        .containsEntry("ports", List.of(5432L, "x", true))
        .containsEntry("endpoint", Map.of("host", "db.internal", "port", 5432L))
        .containsEntry("rules", 2L)
        .containsEntry("login", SECRET)
        .containsEntry("to_add", 1L)
        .containsEntry("to_destroy", 0L);
    assertThat(made.secretOutputs()).containsExactly("login");

    Modules.Work update = create.next("apply").with("variables", Map.of("name", "more"));
    assertThat(update.outputs())
        .containsEntry("name", "more")
        .containsEntry("to_add", 0L)
        .containsEntry("to_change", 1L);
    assertThat(witnessed()).containsExactly("made");

    Modules.Work look = create.next("output");
    look.wanted = List.of("endpoint");
    assertThat(look.outputs())
        .isEqualTo(Map.of("endpoint", Map.of("host", "db.internal", "port", 5432L)));

    assertThat(update.next("destroy").outputs())
        .isEqualTo(Map.of("to_add", 0L, "to_change", 0L, "to_destroy", 1L));
    assertThat(witnessed()).containsExactly("made", "destroyed");
    assertThat(modules.text("SELECT count(*) FROM module_states")).isEqualTo("0");
    assertThat(update.next("destroy").outputs()).containsEntry("to_destroy", 0L);
    assertThat(modules.log.all()).noneMatch(line -> line.contains(SECRET));
  }

  @Test
  void a_plan_changes_nothing() throws Exception {
    assertThat(named("orders").with("operation", "plan").outputs()).containsEntry("to_add", 1L);
    assertThat(modules.text("SELECT count(*) FROM module_states")).isEqualTo("0");
    Modules.Work create = named("orders");
    create.outputs();
    String before = modules.text("SELECT string_agg(s::text, ',') FROM module_states s");

    Modules.Work plan = create.next("plan").with("variables", Map.of("name", "other"));
    assertThat(plan.outputs()).isEqualTo(Map.of("to_add", 0L, "to_change", 1L, "to_destroy", 0L));
    assertThat(modules.text("SELECT string_agg(s::text, ',') FROM module_states s"))
        .isEqualTo(before);
    assertThat(witnessed()).containsExactly("made");
    assertThat(modules.log.all())
        .anyMatch(line -> line.contains("terraform_data.db will be updated in-place"))
        .noneMatch(line -> line.contains(SECRET));
  }

  @Test
  void the_state_is_not_readable_in_the_database() throws Exception {
    named("orders").outputs();
    byte[] state =
        modules
            .database
            .jdbi()
            .withHandle(
                h -> h.createQuery("SELECT state FROM module_states").mapTo(byte[].class).one());
    assertThat(new String(state, StandardCharsets.ISO_8859_1))
        .doesNotContain(SECRET)
        .doesNotContain("terraform_data");
    assertThat(modules.text("SELECT string_agg(w::text, ',') FROM module_workspaces w"))
        .doesNotContain(SECRET);
  }

  @Test
  void a_lost_state_is_said_and_nothing_is_made_twice() throws Exception {
    Modules.Work create = named("orders");
    create.outputs();
    create.next("apply").with("variables", Map.of("name", "more")).outputs();

    modules.execute("DELETE FROM module_workspaces");
    StepError error = create.next("apply").error();
    assertThat(error.code()).isEqualTo("state-lost");
    assertThat(error.message()).contains(create.resource + "/db").contains("a second time");
    assertThat(error.hint()).contains("2, 1").contains("slipway state restore " + create.resource);
    assertThat(create.next("destroy").error().code()).isEqualTo("state-lost");
    assertThat(create.next("output").error().code()).isEqualTo("state-lost");

    modules.execute("UPDATE module_workspaces SET version = 2");
    assertThat(create.next("destroy").outputs()).containsEntry("to_destroy", 1L);
    assertThat(witnessed()).containsExactly("made", "destroyed");
  }

  @Test
  void a_state_that_is_gone_altogether_is_lost_too() throws Exception {
    Modules.Work create = named("orders");
    create.outputs();
    modules.execute("DELETE FROM module_states");
    assertThat(create.next("apply").error().hint()).contains("backup");
    assertThat(witnessed()).containsExactly("made");
  }

  @Test
  void modules_of_one_resource_have_a_state_each_and_named_ones_their_own() throws Exception {
    Modules.Work db = named("orders");
    db.outputs();
    modules.file("net/main.tf", "resource \"terraform_data\" \"net\" {}");
    Modules.Work net = db.next("apply").with("path", "net").with("variables", Map.of());
    assertThat(net.outputs()).containsEntry("to_add", 1L).containsEntry("to_destroy", 0L);
    Modules.Work shared = net.next("apply").with("workspace", "team-net");
    assertThat(shared.outputs()).containsEntry("to_add", 1L);

    Modules.Work path = shared.next("plan");
    path.resource = null;
    assertThat(path.outputs()).containsEntry("to_add", 0L);
    path.config.remove("workspace");
    assertThat(path.error().code()).isEqualTo("workspace-required");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          resource "terraform_data" "x" { inptu = 1 } | broken/main.tf:1:33: Unsupported argument
          resource "terraform_data" {                 | broken/main.tf:1
          output "x" { value = var.nope }             | broken/main.tf:1:22: Reference to undeclared
          resource "terraform_data" "x" { input = file("no") } | broken/main.tf:1:47: Invalid function
          """)
  void what_is_wrong_with_a_module_is_said_with_its_place(String text, String said)
      throws Exception {
    modules.file("broken/main.tf", text + "\n");
    for (String operation : List.of("apply", "validate")) {
      StepError error = modules.work().with("path", "broken").next(operation).error();
      assertThat(error.code()).isEqualTo("terraform-error");
      assertThat(error.message()).startsWith(said);
    }
  }

  @Test
  void a_module_is_checked_and_prepared_without_a_state() throws Exception {
    assertThat(modules.work().with("operation", "validate").outputs()).isEmpty();
    assertThat(modules.work().with("operation", "init").outputs()).isEmpty();
    assertThat(modules.text("SELECT count(*) FROM module_workspaces")).isEqualTo("0");
    assertThat(modules.log.all()).anyMatch(line -> line.contains("configuration is valid"));
  }

  @Test
  void a_failing_module_keeps_what_it_made() throws Exception {
    modules.file(
        "half/main.tf",
        """
        variable "fail" { default = true }
        resource "terraform_data" "first" {
          provisioner "local-exec" { command = "echo first >> %s" }
        }
        resource "terraform_data" "second" {
          depends_on = [terraform_data.first]
          input      = var.fail
          lifecycle {
            postcondition {
              condition     = !self.output
              error_message = "The second is not well."
            }
          }
        }
        """
            .formatted(witness));
    Modules.Work work = modules.work().with("path", "half");
    assertThat(work.error().message())
        .startsWith("half/main.tf:10:23: Resource postcondition failed: The second is not well.");
    work.next("apply").with("variables", Map.of("fail", false)).outputs();
    assertThat(witnessed()).containsExactly("first");
  }

  @Test
  void a_variable_that_the_module_does_not_have_is_an_error() throws Exception {
    StepError error = named("orders").with("variables", Map.of("name", "x", "sise", 3)).error();
    assertThat(error.code()).isEqualTo("undeclared-variable");
    assertThat(error.message()).contains("\"sise\"");
    assertThat(witnessed()).isEmpty();
  }

  @Test
  void a_module_with_a_place_of_its_own_for_its_state_is_refused() throws Exception {
    modules.file("own/main.tf", "terraform {\n  # backend \"x\" {}\n  backend \"s3\" {\n  }\n}\n");
    StepError error = modules.work().with("path", "own").error();
    assertThat(error.code()).isEqualTo("own-backend");
    assertThat(error.message()).startsWith("own/main.tf:3:").contains("backend \"s3\"");
    modules.file("json/main.tf.json", "{\"terraform\": {\"cloud\": {}}}");
    assertThat(modules.work().with("path", "json").error().code()).isEqualTo("own-backend");
  }

  @Test
  void a_state_that_lies_in_the_providers_files_is_not_used() throws Exception {
    Modules.Work create = named("orders");
    modules.file("db/terraform.tfstate", "{\"version\": 4, \"serial\": 9}");
    assertThat(create.outputs()).containsEntry("to_add", 1L);
  }

  @Test
  void the_module_stays_inside_its_provider() throws Exception {
    assertThat(modules.work().with("path", "../..").error().message())
        .isEqualTo("path '../..' leads out of the provider's directory");
    Files.createSymbolicLink(modules.provider.resolve("db/out.tf"), Path.of("/etc/passwd"));
    assertThat(modules.work().error().code()).isEqualTo("link-outwards");
  }

  @Test
  void the_program_sees_nothing_of_the_server() throws Exception {
    modules.file(
        "env/main.tf",
        """
        resource "terraform_data" "env" {
          provisioner "local-exec" { command = "env | cut -d= -f1 | sort | tr '\\\\n' ' ' > %s" }
        }
        """
            .formatted(witness));
    Modules.Work work = modules.work().with("path", "env");
    work.env = Map.of("AWS_REGION", "nowhere");
    work.outputs();
    assertThat(witnessed().getFirst())
        .contains("AWS_REGION", "SLIPWAY_RUN", "CHECKPOINT_DISABLE")
        .doesNotContain("JAVA", "TF_CLI_CONFIG_FILE", "USER ");
    work.env = Map.of("TF_LOG", "trace");
    assertThat(work.error().message()).contains("TF_LOG");
  }

  @Test
  void large_outputs_arrive_whole() throws Exception {
    modules.file(
        "large/main.tf",
        """
        resource "terraform_data" "talk" {
          provisioner "local-exec" { command = "head -c 3000000 /dev/zero | tr '\\\\0' 'x'" }
        }
        output "text" { value = join("", [for i in range(1000) : format("%0800d", i)]) }
        """);
    assertThat(String.valueOf(modules.work().with("path", "large").outputs().get("text")))
        .hasSize(800_000);
    assertThat(modules.log.all()).noneMatch(line -> line.length() > 70_000);
  }

  @Test
  void a_workflow_that_deletes_must_say_what_to_do() throws Exception {
    Modules.Work work = named("orders");
    work.operation = "delete";
    assertThat(work.error().code()).isEqualTo("operation-required");
  }

  @Test
  void a_program_is_a_name_or_an_absolute_path() throws Exception {
    assertThat(modules.work().with("binary", "./terraform").error().code())
        .isEqualTo("invalid-config");
    assertThat(modules.work().with("binary", "no-such-tofu").error().code())
        .isEqualTo("missing-program");
  }
}
