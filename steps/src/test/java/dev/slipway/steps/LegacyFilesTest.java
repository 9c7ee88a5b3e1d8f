package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.AdminConfigParser;
import dev.slipway.engine.resolve.GoldenPath;
import dev.slipway.engine.resolve.GoldenPathFile;
import dev.slipway.engine.resolve.ProviderLoader;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.workflow.Parameter;
import dev.slipway.engine.workflow.WorkflowParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files written for innominatus load unchanged, with a warning that names the new spelling. */
class LegacyFilesTest {
  private static final Path FILES = Path.of("src/test/resources/legacy");
  private final WorkflowParser workflows = new WorkflowParser(StepCatalog.types());
  private final Diagnostics found = new Diagnostics();

  @Test
  void a_platform_with_provisioners_and_golden_paths_is_a_provider() {
    Path directory = FILES.resolve("cache-team");
    var loaded =
        new ProviderLoader(workflows::parse)
            .load(ProviderSource.directory(directory, 0), directory, null);
    assertThat(loaded.diagnostics()).noneMatch(Diagnostic::isError);
    assertThat(loaded.provider().orElseThrow().definitions())
        .containsOnlyKeys("provision-redis", "provision-redis-cache", "onboard");
    assertThat(loaded.diagnostics())
        .extracting(Diagnostic::text)
        .containsExactlyInAnyOrder(
            "cache-team/provider.yaml:1:1: warning: apiVersion: apiVersion 'innominatus.io/v1' is"
                + " the old one. Write apiVersion: v1.",
            "cache-team/provider.yaml:2:1: warning: kind: kind 'Platform' is the old name. Write"
                + " kind: Provider.",
            "cache-team/provider.yaml:18:1: warning: provisioners: 'provisioners' is the old form."
                + " List them under workflows with category: provisioner.",
            "cache-team/provider.yaml:29:1: warning: goldenpaths: 'goldenpaths' is the old form."
                + " List them under workflows with category: goldenpath.",
            "cache-team/workflows/onboard.yaml:7:1: warning: variables: variables beside 'spec' are"
                + " an old form. Move them below 'spec'.");
  }

  @Test
  void both_spellings_of_sources_are_read() throws IOException {
    AdminConfig config =
        new AdminConfigParser(FILES, _ -> "x").parse(document("admin-config.yaml"), found);
    assertThat(found.errors()).isEmpty();
    assertThat(config.providers()).hasSize(3);
    assertThat(found.warnings()).isEmpty();
  }

  @Test
  void golden_paths_say_what_their_parameters_must_be() throws IOException {
    List<GoldenPath> paths =
        new GoldenPathFile(FILES.resolve("goldenpaths.yaml"), workflows::parse, found).read();
    assertThat(found.errors()).isEmpty();
    assertThat(paths).extracting(GoldenPath::name).containsExactly("onboard-team", "plain");
    assertThat(paths.getFirst().parameters())
        .extracting(Parameter::name, Parameter::type, Parameter::defaultValue)
        .contains(
            org.assertj.core.groups.Tuple.tuple("team", Parameter.Type.STRING, null),
            org.assertj.core.groups.Tuple.tuple("replicas", Parameter.Type.INTEGER, "1"),
            org.assertj.core.groups.Tuple.tuple("visibility", Parameter.Type.ENUM, "public"));
  }

  private Document document(String name) throws IOException {
    return Document.parse(name, Files.readAllBytes(FILES.resolve(name)), Limits.PROVIDER, found)
        .orElseThrow();
  }
}
